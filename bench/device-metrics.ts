/**
 * What devices measure: bytes a device and day at each resolution; charts over HTTP with 1,000 devices × 30 days stored, on
 * SQLite; and what packing an hour of 100 devices takes, and how long it holds the main thread. The baseline of the
 * charts is a request that reads nothing.
 *
 *   npm run bench -- device-metrics
 */
import { join } from "node:path";
import { packFigures } from "../server/src/device/metrics/figures.ts";
import { keepReports } from "../server/src/device/metrics/keep-reports.ts";
import { packMetrics } from "../server/src/device/metrics/pack-metrics.ts";
import { RESOLUTION_FACTS, RESOLUTIONS } from "../server/src/device/metrics/resolutions.ts";
import { rollUp, seriesOf } from "../server/src/device/metrics/series.ts";
import { packSeries } from "../server/src/device/metrics/series-pack.ts";
import { HOUR_MS, hourOf } from "../server/src/result/pack.ts";
import { openStore } from "../server/src/store/open.ts";
import type { Store } from "../server/src/store/store.ts";
import {
  cpuSeconds,
  type Measurement,
  machineLoad,
  quantile,
  type RunningServer,
  report,
  startServer,
  watchTurns,
  withFolder,
} from "./harness.ts";
import { fillDevices, reportsOf, seedMonitors, toDevices } from "./seed.ts";

const DEVICES = 1_000;
const DAYS = 30;
const PACKED_DEVICES = 100;
const REQUESTS = 100;
const WARM_UP = 10;
const CHART_MS = 50;
const MAX_TURN_MS = 50;
const DAY_MS = 24 * HOUR_MS;

const ASKED: [name: string, path: string, isTarget: boolean][] = [
  ["a chart of 30 days, one line", "/metrics/series?range=30d&name=cpu.usage", true],
  ["a chart of 30 days, cpu with 8 cores", "/metrics/series?range=30d&type=cpu", true],
  ["a chart of 30 days, all 38 lines", "/metrics/series?range=30d", false],
  ["a chart of 24 hours, one line", "/metrics/series?range=24h&name=cpu.usage", true],
  ["the newest 100 figures", "/metrics", false],
];

const giveWay = async () => {};

report([
  ...(await measureSizes()),
  ...(await withFolder(measurePacking)),
  ...(await withFolder(measureCharts)),
  { name: "load of the machine", value: machineLoad(), unit: "processes" },
]);

/** A day of a device that reports every 10 s. */
async function measureSizes(): Promise<Measurement[]> {
  const begin = hourOf(Date.now()) - 2 * DAY_MS;
  const rows = reportsOf(1, begin - (begin % DAY_MS), begin - (begin % DAY_MS) + DAY_MS).map(
    ({ at, figures }) => ({ at, figures: packFigures(figures) }),
  );
  const rowBytes = rows.reduce((sum, { figures }) => sum + figures.length, 0) / rows.length;
  const found: Measurement[] = [{ name: "a report of 38 figures in a row", value: rowBytes, unit: "bytes" }];
  for (const resolution of RESOLUTIONS) {
    const { packMs } = RESOLUTION_FACTS[resolution];
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
  const token = await seedDevices(store, DEVICES);
  await store.close();
  await fillDevices(file, { devices: DEVICES, days: DAYS });
  const server = await startServer(folder, { VEDETTE_RATE_LIMITS: "off" });
  const ask = (path: string) => timeOf(`${server.url}${path}`, token);
  const found = await timeEach(server, { name: "nothing but who asks" }, () => ask("/api/auth/me"));
  for (const [name, path, isTarget] of ASKED) {
    const asked = (n: number) => ask(`/api/devices/${(n % DEVICES) + 1}${path}`);
    found.push(
      ...(await timeEach(server, { name, ...(isTarget && { target: { atMost: CHART_MS } }) }, asked)),
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
  ask: (n: number) => Promise<number>,
): Promise<Measurement[]> {
  const times: number[] = [];
  let cpu = 0;
  for (let n = 0; n < WARM_UP + REQUESTS; n += 1) {
    if (n === WARM_UP) cpu = cpuSeconds(server.pid);
    const elapsedMs = await ask(n * 7);
    if (n >= WARM_UP) times.push(elapsedMs);
  }
  const cpuMs = ((cpuSeconds(server.pid) - cpu) * 1000) / REQUESTS;
  return [
    { name: `${name}: p99`, value: quantile(times, 0.99), unit: "ms", ...more },
    { name: `${name}: median`, value: quantile(times, 0.5), unit: "ms" },
    { name: `${name}: CPU`, value: cpuMs, unit: "ms a request" },
  ];
}
