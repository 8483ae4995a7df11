/**
 * What keeping results costs: bytes a result once packed (result/pack.ts), beside the same results as
 * rows in the same store, and the time to read a day of one monitor back, beside the same from rows. Also
 * what packing itself takes. Durations are log-normal, 30 % around medians of 25 ms (connection), 30 ms
 * (TLS) and 60 ms (first byte); every other monitor is HTTPS.
 */
import { HOUR_MS, hourOf, packResults, unpackResults } from "../server/src/result/pack.ts";
import { runPacking } from "../server/src/result/packing.ts";
import type { StoredResult } from "../server/src/result/stored-result.ts";
import type { StoreLocation } from "../server/src/store/open.ts";
import { insertResults, listResults } from "../server/src/store/queries/results.ts";
import { openDatabase } from "../server/src/store/sqlite.ts";
import type { Store } from "../server/src/store/store.ts";
import { hourOfResults } from "../server/test/result/packed-hours.ts";
import { type Measurement, machineLoad, median, report } from "./harness.ts";
import { seedMonitors } from "./seed.ts";
import { type BenchStore, onEachStore, onSqlite } from "./stores.ts";

const INTERVALS = [10, 30, 60] as const;
/** Of each interval so many monitors that they make about 100,000 results a day. */
const monitorsOf = (intervalSeconds: number) => (12 * intervalSeconds) / 10;
const HOURS = 24;
const FIRST_HOUR = hourOf(Date.now()) - 30 * HOUR_MS;
const READS = 60;
const BYTES = 6;
const DAY_READ_MS = 1;

const found = measureCodec();
for (const seconds of INTERVALS.slice(0, -1))
  found.push(...(await onSqlite((store) => measure(store, seconds))));
found.push(...(await onEachStore((store) => measure(store, 60))));
report([...found, { name: "load of the machine", value: machineLoad(), unit: "processes" }]);

/** The packs alone, without the store around them. */
function measureCodec(): Measurement[] {
  const measurements: Measurement[] = [];
  for (const https of [false, true]) {
    for (const intervalSeconds of INTERVALS) {
      const day = Array.from({ length: HOURS }, (_, hour) => {
        const key = { monitorId: 1, locationId: 1, hourAt: FIRST_HOUR + hour * HOUR_MS };
        const results = hourOfResults(key, { seed: hour, intervalSeconds, https });
        return { key, results, bytes: packResults(key, results) };
      });
      const count = day.reduce((sum, { results }) => sum + results.length, 0);
      const size = day.reduce((sum, { bytes }) => sum + bytes.length, 0);
      const ms = medianMs(() => void day.forEach(({ key, bytes }) => unpackResults(key, bytes)));
      const name = `${https ? "HTTPS" : "HTTP"} every ${intervalSeconds} s`;
      measurements.push(
        { name: `${name}: packed`, value: size / count, unit: "bytes a result", target: { atMost: BYTES } },
        { name: `${name}: unpacking a day`, value: ms, unit: "ms" },
      );
    }
  }
  return measurements;
}

function medianMs(work: () => void): number {
  const times = Array.from({ length: READS }, () => {
    const begun = performance.now();
    work();
    return performance.now() - begun;
  });
  return median(times);
}

async function measure(
  { engine, location, store }: BenchStore,
  intervalSeconds: number,
): Promise<Measurement[]> {
  const monitors = monitorsOf(intervalSeconds);
  const urlOf = () => "https://vedette.test/";
  await seedMonitors(store, { monitors, intervalSeconds, urlOf, locations: null });
  const count = await fill(store, monitors, intervalSeconds);
  const [rowBytes, rowsMs] = [await bytesOf(store, location, "results"), await readDay(store, 2)];
  const log = { debug() {}, info() {}, warn() {}, error: console.error };
  const cpu = process.cpuUsage();
  const packing = await runPacking({ store, log, clock: { now: () => FIRST_HOUR + 30 * HOUR_MS } });
  const { user, system } = process.cpuUsage(cpu);
  if (packing.results !== count) throw new Error(`${packing.results} of ${count} results were packed.`);
  const [packBytes, packedMs] = [await bytesOf(store, location, "packs"), await readDay(store, 2)];
  const name = `${engine}, every ${intervalSeconds} s`;
  return [
    { name: `${name}: rows`, value: rowBytes / count, unit: "bytes a result" },
    { name: `${name}: packed, with pages and index`, value: packBytes / count, unit: "bytes a result" },
    { name: `${name}: a day of one monitor from rows`, value: rowsMs, unit: "ms" },
    {
      name: `${name}: a day of one monitor packed`,
      value: packedMs,
      unit: "ms",
      target: { atMost: DAY_READ_MS },
    },
    { name: `${name}: packing`, value: (user + system) / count, unit: "µs CPU a result" },
    { name: `${name}: longest slice of packing`, value: packing.longestMs, unit: "ms" },
  ];
}

/** A day of results, hour by hour as they would come in; returns how many. */
async function fill(store: Store, monitors: number, intervalSeconds: number): Promise<number> {
  let count = 0;
  for (let hour = 0; hour < HOURS; hour += 1) {
    const results: StoredResult[] = [];
    for (let monitorId = 1; monitorId <= monitors; monitorId += 1) {
      const key = { monitorId, locationId: 1, hourAt: FIRST_HOUR + hour * HOUR_MS };
      const seed = monitorId * HOURS + hour;
      results.push(...hourOfResults(key, { seed, intervalSeconds, https: monitorId % 2 === 0 }));
    }
    results.sort((a, b) => a.scheduledAt - b.scheduledAt);
    for (let from = 0; from < results.length; from += 1_000) {
      await store.transaction((trx) => insertResults(trx, results.slice(from, from + 1_000)));
    }
    count += results.length;
  }
  return count;
}

/** What a table takes on disk with its indexes. */
async function bytesOf(store: Store, location: StoreLocation, table: "results" | "packs"): Promise<number> {
  if ("url" in location) {
    const size = await store.pool?.query("select pg_total_relation_size($1::regclass) as bytes", [table]);
    return Number(size?.rows[0]?.bytes);
  }
  const database = openDatabase(location.file, { readOnly: true });
  const size = database.prepare(`
    select sum(pgsize) as bytes from dbstat
    where name in (select name from sqlite_master where tbl_name = ?)`);
  const bytes = Number(size.get(table)?.["bytes"]);
  database.close();
  return bytes;
}

/** The median time to list a day of a monitor, milliseconds. */
async function readDay(store: Store, monitorId: number): Promise<number> {
  const day = { monitorId, from: FIRST_HOUR, to: FIRST_HOUR + HOURS * HOUR_MS, limit: 10_000 };
  const times: number[] = [];
  for (let i = 0; i < READS; i += 1) {
    const begun = performance.now();
    await listResults(store.db, day);
    times.push(performance.now() - begun);
  }
  return median(times);
}
