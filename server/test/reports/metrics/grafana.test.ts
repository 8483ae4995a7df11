import { readFileSync, writeFileSync } from "node:fs";
import net from "node:net";
import { join } from "node:path";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { systemClock } from "../../../src/platform/clock.ts";
import { missingServers, startDaemon } from "../../harness/daemons.ts";
import { eventually } from "../../harness/eventually.ts";
import { runCommand, startServerProcess, temporaryFolder } from "../../harness/process.ts";
import { startTlsTarget } from "../../harness/targets.ts";
import { agentOf, metrics } from "../../monitors/devices/device-setup.ts";

const ROOT = join(import.meta.dirname, "../../../..");
const EXAMPLES = join(ROOT, "examples/grafana");
const read = (...path: string[]): string => readFileSync(join(...path), "utf8");

/** Whatever a dashboard queries of its data source, and under which title. */
interface Query {
  title: string;
  expr: string;
}

interface Dashboard {
  panels: { id: number; title: string; targets?: { expr: string }[] }[];
  templating: { list: { name: string; type: string; query: string | { query: string } }[] };
}

const dashboard = JSON.parse(read(EXAMPLES, "dashboards/vedette.json")) as Dashboard;
const QUERIES: Query[] = dashboard.panels.flatMap(({ title, targets = [] }) =>
  targets.map(({ expr }) => ({ title, expr })),
);

/** As Grafana fills it in, with everything chosen. */
const filledIn = (expr: string): string =>
  dashboard.templating.list.reduce(
    (text, { name }) => text.replaceAll(`$${name}`, ".*"),
    expr.replaceAll("$__rate_interval", "1m"),
  );

/** What an agent can measure on Linux. */
const EVERYTHING = metrics({
  ...{ "cpu.load5": 0.3, "cpu.load15": 0.2, "cpu.temperature": 51, "memory.available": 4e9 },
  ...{ "memory.swap.usage": 3, "memory.swap.used": 1e6, "disk./.used": 1e9, "disk./.total": 2e9 },
  ...{ "disk./.inodes": 4, "disk.sda.read": 10, "disk.sda.write": 20, "disk.sda.busy": 1 },
  ...{
    "network.eth0.tx": 30,
    "network.eth0.errors": 0,
    "network.rx": 20,
    "network.tx": 30,
    "network.errors": 0,
  },
});

async function refusingPort(): Promise<number> {
  const server = net.createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const { port } = server.address() as net.AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** An installation that checks a site with a certificate and one that is down, and has reports of a device. */
async function startInstallation() {
  const { folder, remove } = temporaryFolder();
  onTestFinished(remove);
  const email = "owner@vedette.test";
  const own = ["--data", folder];
  await runCommand(["user", "create", "--email", email, "--password", "correct horse battery", ...own]);
  const keyOf = async (scopes: string) =>
    (await runCommand(["key", "create", "--email", email, "--scopes", scopes, ...own])).stdout.trim();
  const [all, reading] = [await keyOf("*:*"), await keyOf("read:metrics")];
  const site = await startTlsTarget({});
  onTestFinished(site.close);
  const trusted = join(folder, "ca.pem");
  writeFileSync(trusted, site.ca);
  const settings = { VEDETTE_RATE_LIMITS: "off", NODE_EXTRA_CA_CERTS: trusted };
  const server = await startServerProcess(folder, settings);
  onTestFinished(async () => void (await server.stop()));
  const create = async (path: string, body: object) => {
    const headers = { authorization: `Bearer ${all}`, "content-type": "application/json" };
    const answer = await fetch(server.url + path, { method: "POST", headers, body: JSON.stringify(body) });
    expect([path, answer.status]).toEqual([path, 201]);
    return ((await answer.json()) as { data: { token: string } }).data;
  };
  await create("/api/domains", { name: "Shop", url: site.url, checkInterval: 10, timeout: 5 });
  const away = `http://127.0.0.1:${await refusingPort()}/`;
  await create("/api/domains", { name: 'Away "for good"', url: away, checkInterval: 10, timeout: 5 });
  const { token } = await create("/api/devices", { name: "web-1" });
  const received = await agentOf(
    { url: server.url, ctx: { clock: systemClock } } as Parameters<typeof agentOf>[0],
    token,
  ).report({ metrics: EVERYTHING });
  expect(received.status).toBe(200);
  return { url: server.url, key: reading };
}

/** Prometheus with the examples' configuration and rules, scraping that server every second. */
async function startPrometheus({ url, key }: { url: string; key: string }) {
  const { ports } = await startDaemon({
    program: "prometheus",
    files: ({ folder }) => ({
      "vedette.key": key,
      "alerts.yml": read(EXAMPLES, "alerts.yml"),
      "prometheus.yml": read(EXAMPLES, "prometheus.yml")
        .replace("/etc/prometheus/vedette.key", join(folder, "vedette.key"))
        .replace("127.0.0.1:8080", new URL(url).host)
        .replace("scrape_interval: 30s", "scrape_interval: 1s")
        .replace("scrape_timeout: 10s", "scrape_timeout: 1s")
        .concat("rule_files: [alerts.yml]\nglobal: { evaluation_interval: 1s }\n"),
    }),
    args: ({ folder, ports: [port] }) => [
      `--config.file=${folder}/prometheus.yml`,
      `--storage.tsdb.path=${folder}/data`,
      `--web.listen-address=127.0.0.1:${port}`,
    ],
  });
  const at = `http://127.0.0.1:${ports[0]}`;
  // It listens before it answers queries.
  const isReady = async () => expect((await fetch(`${at}/-/ready`)).status).toBe(200);
  await vi.waitFor(isReady, { timeout: 30_000, interval: 100 });
  const api = async (path: string) => {
    const answer = await fetch(`${at}/api/v1/${path}`);
    // biome-ignore lint/suspicious/noExplicitAny: Prometheus' answers, each compared where it is used.
    return (await answer.json()) as any;
  };
  /** How many series an expression has, or what is wrong with it. */
  const countSeries = async (expr: string): Promise<number | string> => {
    const { status, error, data } = await api(`query?query=${encodeURIComponent(expr)}`);
    return status === "success" ? (data.result as object[]).length : String(error);
  };
  return { api, countSeries };
}

const missing = missingServers("prometheus", "promtool");

describe.skipIf(missing)("Prometheus and Grafana", () => {
  test("each query of the dashboard has an answer, and each alert is judged, of a real server", async () => {
    const { api, countSeries } = await startPrometheus(await startInstallation());
    // A site is down once it has failed twice; rates take two scrapes.
    const answers = await eventually(
      () =>
        Promise.all(QUERIES.map(async ({ title, expr }) => [title, expr, await countSeries(filledIn(expr))])),
      (all) => all.every(([, , series]) => Number(series) > 0),
      40_000,
      500,
    );
    expect(answers.length).toBeGreaterThan(25);
    expect(await countSeries('vedette_monitor_up{name="Shop"} == 1')).toBe(1);
    expect(await countSeries('vedette_monitor_up{name="Away \\"for good\\""} == 0')).toBe(1);
    const labels = dashboard.templating.list.filter(({ type }) => type === "query");
    for (const { name, query } of labels) {
      const [, series = "", label = ""] =
        /^label_values\((.+), (\w+)\)$/.exec(typeof query === "string" ? query : query.query) ?? [];
      expect([name, await countSeries(`group by (${label}) (${filledIn(series)})`)]).toEqual([
        name,
        expect.any(Number),
      ]);
    }
    const alerts = await eventually(
      () => api("rules"),
      ({ data }) => data.groups[0]?.rules.every(({ health }: { health: string }) => health === "ok"),
    );
    const firing = (alerts.data.groups[0].rules as { name: string; state: string }[]).filter(
      ({ state }) => state === "firing",
    );
    expect(firing.map(({ name }) => name)).toContain("MonitorDown");
    const { data } = await api("targets");
    expect(data.activeTargets.map(({ health }: { health: string }) => health)).toEqual(["up"]);
    const names = (await api("label/__name__/values")).data as string[];
    const reported = names.filter((name) => /^vedette_(monitor|device)_/.test(name));
    const documented = read(ROOT, "docs/prometheus.md").match(/vedette_(?:monitor|device)_\w+/g) ?? [];
    expect(reported.toSorted()).toEqual([...new Set(documented)].toSorted());
  });
});

describe("the dashboard", () => {
  test("queries the data source that is chosen, and the one that comes along is chosen at first", () => {
    const text = JSON.stringify(dashboard);
    const uids = [...text.matchAll(/"type":"prometheus","uid":"([^"]+)"/g)].map(([, uid]) => uid);
    expect(new Set(uids)).toEqual(new Set(["${datasource}"]));
    const provisioned = /uid: (\S+)/.exec(read(EXAMPLES, "provisioning/datasources/prometheus.yaml"))?.[1];
    expect(text).toContain(`"value":"${provisioned}"`);
    const ids = dashboard.panels.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
  });
});
