import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { composed, post } from "../../src/alerts/channels/post.ts";
import type { TargetPolicy } from "../../src/checks/guard.ts";
import { createResolver } from "../../src/checks/resolve.ts";
import { ToolError } from "../../src/checks/toolbox/tool.ts";
import { inspectHttp } from "../../src/checks/toolbox/web/inspect-http.ts";
import { inEnglish } from "../../src/platform/i18n/english.ts";
import { temporaryFolder } from "../engine/probe/factories.ts";
import { type DnsRecord, startDnsTarget } from "../harness/dns-target.ts";
import { check, closing, startHttpTarget } from "./factories.ts";
import { toolEnvironment } from "./toolbox/run-tool.ts";

/** A machine whose resolv.conf completes names, as in a cluster; and a web server on it. */
async function machine(records: Record<string, DnsRecord>, policy: TargetPolicy = "all") {
  const dns = closing(await startDnsTarget(records));
  const folder = temporaryFolder();
  const [resolvConf, hostsFile] = [join(folder, "resolv.conf"), join(folder, "hosts")];
  writeFileSync(
    resolvConf,
    `nameserver ${dns.server}\nsearch ns.cluster.test cluster.test\noptions ndots:2\n`,
  );
  writeFileSync(hostsFile, "");
  const resolver = createResolver({
    servers: [],
    resolvConf,
    hostsFile,
    policy,
    systemLookup: async () => [],
  });
  const { port } = await startHttpTarget();
  return { dns, port, network: { resolver, policy } };
}

type Machine = Awaited<ReturnType<typeof machine>>;

/** What reaches a host by its name: null where it was reached, otherwise why not. */
const WAYS: Readonly<Record<string, (machine: Machine, host: string) => Promise<string | null>>> = {
  "a check": async ({ network, port }, host) => (await check(`http://${host}:${port}/`, { network })).reason,
  "a channel": async ({ network, port }, host) => {
    const request = composed({ url: `http://${host}:${port}/`, body: { json: {} } });
    const answer = await post(request, network, new AbortController().signal);
    return "failure" in answer ? inEnglish(answer.failure) : null;
  },
  "the toolbox": async ({ network, port }, host) => {
    try {
      await inspectHttp.run({ url: `http://${host}:${port}/` }, await toolEnvironment({}, network));
      return null;
    } catch (error) {
      if (error instanceof ToolError) return inEnglish(error.reason);
      throw error;
    }
  },
};

describe.each(Object.entries(WAYS))("%s", (_, reach) => {
  test("finds a host whose name the search domains complete", async () => {
    const found = await machine({ "grafana.monitoring.cluster.test": { a: ["127.0.0.1"] } });
    expect(await reach(found, "grafana.monitoring")).toBeNull();
    expect(found.dns.queries.filter((query) => query.startsWith("A "))).toEqual([
      "A grafana.monitoring.ns.cluster.test",
      "A grafana.monitoring.cluster.test",
    ]);
  });

  test("does not reach addresses that the guard refuses, also by a completed name", async () => {
    const found = await machine({ "grafana.monitoring.cluster.test": { a: ["169.254.169.254"] } });
    expect(await reach(found, "grafana.monitoring")).toContain("169.254.169.254");
    const inside = await machine({ "intranet.cluster.test": { a: ["127.0.0.1"] } }, "public");
    expect(await reach(inside, "intranet")).toMatch(/no public address/);
  });

  test("does not believe the address of another name", async () => {
    const found = await machine({});
    found.dns.set("shop.example.test", { stray: { name: "evil.test", a: "127.0.0.1" } });
    expect(await reach(found, "shop.example.test")).toMatch(/does not exist in the DNS, or has no address/);
  });

  test("takes a name that is gone for gone where only public targets may be reached", async () => {
    const wildcard = { a: ["127.0.0.1"] };
    const records = { "gone.shop.test.cluster.test": wildcard, "gone.shop.test.ns.cluster.test": wildcard };
    const open = await machine(records);
    expect(await reach(open, "gone.shop.test")).toBeNull();
    const { dns, ...closed } = await machine(records, "public");
    expect(await reach({ dns, ...closed }, "gone.shop.test")).toMatch(/no public address/);
    expect([...new Set(dns.queries.map((query) => query.replace(/^\S+ /, "")))]).toEqual(["gone.shop.test"]);
  });
});
