/**
 * Visitors of a status page while the server checks 1,000 monitors every ten seconds: first as many as it can answer, for a
 * minute; then 2,000 a second, each with a connection of its own, with an outage in the middle. How late checks start
 * meanwhile, and how long it takes until every visitor sees the outage.
 *
 *   npm run bench -- visitors
 *   node bench/visitors.ts --monitors 100 --visitors 200     small
 */
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout } from "node:timers/promises";
import { parseArgs } from "node:util";
import { brotliDecompressSync } from "node:zlib";
import { openStore } from "../server/src/platform/database/open.ts";
import { BROWSER, makePage, PATH } from "./api.ts";
import type { LoadReport, Version, VisitorsOrder, VisitorsReport } from "./clients.ts";
import {
  cpuSeconds,
  type Measurement,
  machineLoad,
  quantile,
  type RunningServer,
  report,
  startBeside,
  startServer,
  withFolder,
} from "./harness.ts";
import { seedMonitors } from "./seed.ts";
import type { TargetReady } from "./target.ts";

const { values } = parseArgs({
  options: {
    monitors: { type: "string", default: "1000" },
    visitors: { type: "string", default: "2000" },
  },
});
const MONITORS = Number(values.monitors);
const VISITORS_A_SECOND = Number(values.visitors);
const INTERVAL_SECONDS = 10;
/** Which monitor goes down, and component of the page; the first has an incident already. */
const FAILING = 2;
/** The metric is about the last minute. */
const MINUTE_MS = 60_000;
const CONNECTIONS = 16;
const BEFORE_OUTAGE_MS = 15_000;
/** A site that fails is found to be down after one interval and a repetition; then it may be shown as up no longer than this. */
const SEEN_WITHIN_MS = 20_000;
const AFTERWARDS_MS = 5_000;
const FOUND_WITHIN_MS = 60_000;
const MOST_LATE_MS = 50;
const COMPONENT_DOWN = new RegExp(`<span>Component ${FAILING}</span><span class="[^"]*">(?!Operational)`);

const target = await startBeside<TargetReady>("target.ts");
try {
  report(await withFolder(measure));
} finally {
  target.child.disconnect();
}

async function measure(folder: string): Promise<Measurement[]> {
  const file = join(folder, "vedette.db");
  const site = await startSite();
  const store = await openStore({ file });
  const { token } = await seedMonitors(store, {
    monitors: MONITORS,
    intervalSeconds: INTERVAL_SECONDS,
    urlOf: (n) => `http://127.0.0.1:${n === FAILING ? site.port : target.ready.port}/`,
    locations: null,
  });
  await store.close();
  const server = await startServer(folder, { VEDETTE_RATE_LIMITS: "off", VEDETTE_LOG_LEVEL: "error" });
  try {
    await makePage(server, token);
    await setTimeout(MINUTE_MS);
    const quiet = await lateness(server);
    return [
      { name: "no visitors: start lateness, p99", value: quiet, unit: "ms" },
      ...(await flood(server)),
      ...(await outage(server, { file, token, site })),
      { name: "load of the machine", value: machineLoad(), unit: "processes" },
    ];
  } finally {
    site.close();
    await server.stop();
  }
}

/** The site that goes away. */
async function startSite() {
  const answer = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok";
  const server = createServer((socket) => {
    socket.on("error", () => {});
    socket.once("data", () => socket.end(answer));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return { port: (server.address() as AddressInfo).port, close: () => void server.close() };
}

/** How late checks start, the 99th percentile of the last minute, in milliseconds. */
async function lateness({ url }: RunningServer): Promise<number> {
  const metrics = await (await fetch(`${url}/metrics`)).text();
  return 1_000 * Number(/^vedette_engine_lateness_p99_seconds (\S+)$/m.exec(metrics)?.[1]);
}

/** As many visitors as there can be, who keep their connections. */
async function flood(server: RunningServer): Promise<Measurement[]> {
  const { child } = await startBeside("clients.ts", ["load"]);
  const port = Number(new URL(server.url).port);
  child.send({ port, paths: [PATH], headers: BROWSER, connections: CONNECTIONS, forMs: MINUTE_MS + 1_000 });
  const [{ requests, elapsedMs }] = (await once(child, "message")) as [LoadReport];
  const late = await lateness(server);
  child.disconnect();
  const name = "as many as can be";
  return [
    { name: `${name}: answers`, value: (requests * 1_000) / elapsedMs, unit: "requests/s" },
    { name: `${name}: start lateness, p99`, value: late, unit: "ms", target: { atMost: MOST_LATE_MS } },
  ];
}

interface Scene {
  file: string;
  token: string;
  site: { close(): void };
}

async function outage(server: RunningServer, { file, token, site }: Scene): Promise<Measurement[]> {
  const { child } = await startBeside("clients.ts", ["visitors"]);
  const port = Number(new URL(server.url).port);
  const cpuBefore = cpuSeconds(server.pid);
  const order: VisitorsOrder = { port, path: PATH, headers: BROWSER, aSecond: VISITORS_A_SECOND };
  child.send(order);
  await setTimeout(BEFORE_OUTAGE_MS);
  const failedAt = Date.now();
  site.close();
  await untilDown(server, token);
  await setTimeout(SEEN_WITHIN_MS + AFTERWARDS_MS);
  const visits = await stop(child);
  const cpu = cpuSeconds(server.pid) - cpuBefore;
  const late = await lateness(server);
  child.disconnect();
  return measurements({ ...visits, failedAt, foundAt: foundAt(file), cpu, late });
}

async function stop(child: ChildProcess): Promise<VisitorsReport> {
  child.send("stop");
  return ((await once(child, "message")) as [VisitorsReport])[0];
}

async function untilDown({ url }: RunningServer, token: string): Promise<void> {
  const until = Date.now() + FOUND_WITHIN_MS;
  while (Date.now() < until) {
    const answer = await fetch(`${url}/api/domains/${FAILING}`, {
      headers: { authorization: `Bearer ${token}` },
    });
    if (((await answer.json()) as { data: { status: string } }).data.status === "down") return;
    await setTimeout(200);
  }
  throw new Error("The outage was not found.");
}

/** When the server found the monitor down, milliseconds since 1970. */
function foundAt(file: string): number {
  const database = new DatabaseSync(file, { readOnly: true });
  const sql = "select max(detected_at) as at from transitions where monitor_id = ? and to_status = 'down'";
  const row = database.prepare(sql).get(FAILING) as { at: number };
  database.close();
  return row.at;
}

function showsOutage({ bytes }: Version): boolean {
  const whole = Buffer.from(bytes, "base64");
  const body = whole.subarray(whole.indexOf("\r\n\r\n") + 4);
  return COMPONENT_DOWN.test(brotliDecompressSync(body).toString());
}

interface Visits extends VisitorsReport {
  failedAt: number;
  foundAt: number;
  cpu: number;
  late: number;
}

function measurements({ versions, tookMs, failed, elapsedMs, ...seen }: Visits): Measurement[] {
  const name = `${VISITORS_A_SECOND} a second`;
  const lastWithout = Math.max(...versions.filter((one) => !showsOutage(one)).map(({ lastAt }) => lastAt));
  const seconds = (ms: number) => ms / 1_000;
  return [
    {
      name: `${name}: answers`,
      value: ((tookMs.length - failed) * 1_000) / elapsedMs,
      unit: "visitors/s",
      target: { atLeast: 0.99 * VISITORS_A_SECOND },
    },
    { name: `${name}: without an answer`, value: failed, unit: "", target: { atMost: 0 } },
    { name: `${name}: failure to found`, value: seconds(seen.foundAt - seen.failedAt), unit: "s" },
    {
      name: `${name}: found to seen by every visitor`,
      value: seconds(lastWithout - seen.foundAt),
      unit: "s",
      target: { atMost: seconds(SEEN_WITHIN_MS) },
    },
    {
      name: `${name}: visitors after that`,
      value: versions.filter(showsOutage).reduce((sum, { count }) => sum + count, 0),
      unit: "",
    },
    { name: `${name}: answer, p50`, value: quantile(tookMs, 0.5), unit: "ms" },
    { name: `${name}: answer, p99`, value: quantile(tookMs, 0.99), unit: "ms" },
    { name: `${name}: server`, value: (seen.cpu * 1e6) / tookMs.length, unit: "µs CPU a visitor" },
    { name: `${name}: start lateness, p99`, value: seen.late, unit: "ms", target: { atMost: MOST_LATE_MS } },
  ];
}
