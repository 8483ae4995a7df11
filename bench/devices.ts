/**
 * What 500 devices cost one server: each reports every 10 s for a minute, at its own moment, over a connection of its own:
 * 38 metrics, and once 200 processes and 100 connections, as agents do each minute.
 *
 *   npm run bench -- devices
 *   node bench/devices.ts --devices 2000
 *
 * With `--metrics`: What devices measure: bytes a device and day at each resolution; charts over HTTP with 1,000 devices × 30 days stored, on
 * SQLite; and what packing an hour of 100 devices takes, and how long it holds the main thread. The baseline of the
 * charts is a request that reads nothing.
 */
import { Agent, request } from "node:http";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { parseArgs, promisify } from "node:util";
import { gzip } from "node:zlib";
import { HOUR_MS, hourOf } from "../server/src/engine/results/pack-format.ts";
import { RESOLUTION_DETAILS, RESOLUTIONS } from "../server/src/engine/results/precision.ts";
import { packMetrics } from "../server/src/monitors/devices/metrics/pack-metrics.ts";
import { packSeries, rollUp, seriesOf } from "../server/src/monitors/devices/metrics/packed-series.ts";
import { packReport } from "../server/src/monitors/devices/metrics/report-metrics.ts";
import { keepReports } from "../server/src/monitors/devices/store-reports.ts";
import { openStore } from "../server/src/platform/database/open.ts";
import type { Store } from "../server/src/platform/database/store.ts";
import {
  cpuSeconds,
  type Measurement,
  machineLoad,
  median,
  memoryMb,
  quantile,
  type RunningServer,
  report,
  startServer,
  watchTurns,
  withFolder,
} from "./harness.ts";
import { fillDevices, makeMachine, reportsOf, seedMonitors, toDevices } from "./seed.ts";

const { values } = parseArgs({
  options: { devices: { type: "string", default: "500" }, metrics: { type: "boolean" } },
});
const DEVICES = Number(values.devices);
const INTERVAL_MS = 10_000;
const SECONDS = 60;
const CREATED_AT_ONCE = 10;
const compress = promisify(gzip);

const processes = {
  total: 240,
  items: Array.from({ length: 200 }, (_, at) => ({
    ...{
      pid: 1_000 + at,
      name: `worker-${at}`,
      command: `/usr/lib/shop/worker --queue orders-${at} --threads 4`,
    },
    ...{ cpuPercent: (at * 7) % 40, memoryMB: 20 + at, status: "sleeping", user: "shop" },
  })),
};
const connections = {
  total: 100,
  items: Array.from({ length: 100 }, (_, at) => ({
    ...{ localAddress: "10.1.2.3", localPort: 443, remoteAddress: `192.0.2.${at}`, remotePort: 40_000 + at },
    ...{ protocol: "tcp", status: "established", processName: "nginx" },
  })),
};

async function measureReports(folder: string): Promise<Measurement[]> {
  const key = await seed(folder);
  const server = await startServer(folder, { VEDETTE_RATE_LIMITS: "off" });
  try {
    const devices = await createDevices(server.url, key);
    const quiet = cpuSeconds(server.pid);
    await wait(10_000);
    const idle = (cpuSeconds(server.pid) - quiet) / 10;
    const before = cpuSeconds(server.pid);
    const answers = (await Promise.all(devices.map((each, at) => reportFor(server.url, each, at)))).flat();
    const busy = (cpuSeconds(server.pid) - before) / (SECONDS + INTERVAL_MS / 1_000);
    const refused = answers.filter(({ status }) => status !== 200).length;
    const times = answers.map(({ ms }) => ms);
    return [
      { name: `${DEVICES} devices: reports`, value: answers.length, unit: "" },
      { name: `${DEVICES} devices: not taken`, value: refused, unit: "", target: { atMost: 0 } },
      { name: "server without any report, CPU", value: 100 * idle, unit: "% of a core" },
      {
        name: `${DEVICES} devices: server, CPU`,
        value: 100 * busy,
        unit: "% of a core",
        target: { atMost: 25 },
      },
      { name: `${DEVICES} devices: answer, median`, value: median(times), unit: "ms" },
      {
        name: `${DEVICES} devices: answer, p99`,
        value: quantile(times, 0.99),
        unit: "ms",
        target: { atMost: 100 },
      },
      { name: "server, memory now", value: memoryMb(server.pid, "VmRSS"), unit: "MB" },
      { name: "load of the machine", value: machineLoad(), unit: "" },
    ];
  } finally {
    await server.stop();
  }
}

/** An organization without monitors, and a key of it. */
async function seed(folder: string): Promise<string> {
  const store = await openStore({ file: join(folder, "vedette.db") });
  const none = { monitors: 0, intervalSeconds: 60, urlOf: () => "", locations: [] };
  const { token } = await seedMonitors(store, none);
  await store.close();
  return token;
}

async function createDevices(url: string, key: string): Promise<string[]> {
  const tokens: string[] = [];
  const names = Array.from({ length: DEVICES }, (_, at) => `Machine ${at}`);
  const create = async () => {
    for (let name = names.pop(); name !== undefined; name = names.pop()) {
      const answer = await fetch(`${url}/api/devices`, {
        method: "POST",
        headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
        body: JSON.stringify({ name }),
      });
      const { data } = (await answer.json()) as { data: { token: string } };
      tokens.push(data.token);
    }
  };
  await Promise.all(Array.from({ length: CREATED_AT_ONCE }, create));
  return tokens;
}

interface Answered {
  ms: number;
  status: number;
}

/** A minute of one device, which begins at its own moment of the first interval. */
async function reportFor(url: string, token: string, at: number): Promise<Answered[]> {
  const connection = new Agent({ keepAlive: true, maxSockets: 1 });
  const look = makeMachine(at);
  const agent = {
    ...{ version: "1.0.0", instance: crypto.randomUUID(), machineId: `machine-${at}`, bootId: "boot" },
    run: crypto.randomUUID(),
  };
  const answers: Answered[] = [];
  const count = (SECONDS * 1_000) / INTERVAL_MS;
  const begun = performance.now() + (at / DEVICES) * INTERVAL_MS;
  for (let sequence = 1; sequence <= count; sequence += 1) {
    await wait(Math.max(0, begun + (sequence - 1) * INTERVAL_MS - performance.now()));
    const now = Date.now();
    const lists = sequence === 1 + (at % count) ? { processes, connections } : {};
    const one = { sequence, at: now, metrics: look(), ...lists };
    const body = await compress(JSON.stringify({ agent, sentAt: now, dropped: 0, reports: [one] }));
    answers.push(await post(`${url}/api/agent/report`, token, body, connection));
  }
  connection.destroy();
  return answers;
}

function post(url: string, token: string, body: Buffer, agent: Agent): Promise<Answered> {
  const headers = {
    ...{ authorization: `Bearer ${token}`, "content-type": "application/json", "content-encoding": "gzip" },
    "content-length": body.length,
  };
  return new Promise((resolve, reject) => {
    const begun = performance.now();
    const sent = request(url, { method: "POST", agent, headers }, (answer) => {
      answer.resume();
      answer.once("end", () => resolve({ ms: performance.now() - begun, status: answer.statusCode ?? 0 }));
    });
    sent.once("error", reject);
    sent.end(body);
  });
}

const CHARTED_DEVICES = 1_000;
const DAYS = 30;
const PACKED_DEVICES = 100;
const REQUESTS = 100;
const WARM_UP = 10;
const CHART_MS = 50;
const MAX_TURN_MS = 50;
const DAY_MS = 24 * HOUR_MS;

const READS: [name: string, path: string, isTarget: boolean][] = [
  ["a chart of 30 days, one line", "/metrics/series?range=30d&name=cpu.usage", true],
  ["a chart of 30 days, cpu with 8 cores", "/metrics/series?range=30d&type=cpu", true],
  ["a chart of 30 days, all 38 lines", "/metrics/series?range=30d", false],
  ["a chart of 24 hours, one line", "/metrics/series?range=24h&name=cpu.usage", true],
  ["the newest 100 metrics", "/metrics", false],
];

const giveWay = async () => {};

async function measureMetrics(): Promise<Measurement[]> {
  return [
    ...(await measureSizes()),
    ...(await withFolder(measurePacking)),
    ...(await withFolder(measureCharts)),
    { name: "load of the machine", value: machineLoad(), unit: "processes" },
  ];
}

/** A day of a device that reports every 10 s. */
async function measureSizes(): Promise<Measurement[]> {
  const begin = hourOf(Date.now()) - 2 * DAY_MS;
  const rows = reportsOf(1, begin - (begin % DAY_MS), begin - (begin % DAY_MS) + DAY_MS).map(
    ({ at, metrics }) => ({ at, metrics: packReport(metrics) }),
  );
  const rowBytes = rows.reduce((sum, { metrics }) => sum + metrics.length, 0) / rows.length;
  const found: Measurement[] = [{ name: "a report of 38 metrics in a row", value: rowBytes, unit: "bytes" }];
  for (const resolution of RESOLUTIONS) {
    const { packMs } = RESOLUTION_DETAILS[resolution];
    let bytes = 0;
    for (const own of Map.groupBy(rows, ({ at }) => at - (at % packMs)).values()) {
      const raw = await seriesOf(own, giveWay);
      const series = resolution === "raw" ? raw : await rollUp(raw, resolution, giveWay);
      bytes += (await packSeries(series, giveWay)).length;
    }
    found.push({ name: `packed, ${resolution}`, value: bytes / 1024, unit: "kB a device and day" });
  }
  return found;
}

async function measurePacking(folder: string): Promise<Measurement[]> {
  const store = await openStore({ file: join(folder, "vedette.db") });
  await seedDevices(store, PACKED_DEVICES);
  const begin = hourOf(Date.now()) - 2 * HOUR_MS;
  for (let id = 1; id <= PACKED_DEVICES; id += 1) {
    const reports = reportsOf(id, begin, begin + HOUR_MS);
    await store.transaction((trx) => keepReports(trx, reports));
  }
  const log = { debug() {}, info() {}, warn() {}, error: console.error };
  const turns = watchTurns();
  const cpu = process.cpuUsage();
  const { hours } = await packMetrics({ store, log, clock: { now: () => begin + 2 * HOUR_MS } });
  const { user, system } = process.cpuUsage(cpu);
  turns.stop();
  await store.close();
  if (hours !== PACKED_DEVICES) throw new Error(`${hours} of ${PACKED_DEVICES} hours were packed.`);
  return [
    { name: "packing an hour of a device", value: (user + system) / 1000 / hours, unit: "ms CPU" },
    {
      ...{ name: "the longest turn meanwhile", value: turns.longestMs(), unit: "ms CPU" },
      target: { atMost: MAX_TURN_MS },
    },
  ];
}

async function seedDevices(store: Store, monitors: number): Promise<string> {
  const urlOf = (n: number) => `https://device-${n}.vedette.test/`;
  const seed = { monitors, intervalSeconds: 60, urlOf, locations: ["elsewhere"] };
  const { token } = await seedMonitors(store, seed);
  await toDevices(store);
  return token;
}

async function measureCharts(folder: string): Promise<Measurement[]> {
  const file = join(folder, "vedette.db");
  const store = await openStore({ file });
  const token = await seedDevices(store, CHARTED_DEVICES);
  await store.close();
  await fillDevices(file, { devices: CHARTED_DEVICES, days: DAYS });
  const server = await startServer(folder, { VEDETTE_RATE_LIMITS: "off" });
  const time = (path: string) => timeOf(`${server.url}${path}`, token);
  const found = await timeEach(server, { name: "nothing but the caller" }, () => time("/api/auth/me"));
  for (const [name, path, isTarget] of READS) {
    const timed = (n: number) => time(`/api/devices/${(n % CHARTED_DEVICES) + 1}${path}`);
    found.push(
      ...(await timeEach(server, { name, ...(isTarget && { target: { atMost: CHART_MS } }) }, timed)),
    );
  }
  await server.stop();
  return found;
}

/** To the last byte. Throws on any answer but one with metrics. */
async function timeOf(url: string, token: string): Promise<number> {
  const begun = performance.now();
  const answer = await fetch(url, { headers: { authorization: `Bearer ${token}` } });
  const text = await answer.text();
  const elapsedMs = performance.now() - begun;
  if (!answer.ok || text.length < 200)
    throw new Error(`${url} answered ${answer.status}: ${text.slice(0, 200)}`);
  return elapsedMs;
}

async function timeEach(
  server: RunningServer,
  { name, ...more }: Pick<Measurement, "name" | "target">,
  time: (n: number) => Promise<number>,
): Promise<Measurement[]> {
  const times: number[] = [];
  let cpu = 0;
  for (let n = 0; n < WARM_UP + REQUESTS; n += 1) {
    if (n === WARM_UP) cpu = cpuSeconds(server.pid);
    const elapsedMs = await time(n * 7);
    if (n >= WARM_UP) times.push(elapsedMs);
  }
  const cpuMs = ((cpuSeconds(server.pid) - cpu) * 1000) / REQUESTS;
  return [
    { name: `${name}: p99`, value: quantile(times, 0.99), unit: "ms", ...more },
    { name: `${name}: median`, value: quantile(times, 0.5), unit: "ms" },
    { name: `${name}: CPU`, value: cpuMs, unit: "ms a request" },
  ];
}

report(values.metrics ? await measureMetrics() : await withFolder(measureReports));
