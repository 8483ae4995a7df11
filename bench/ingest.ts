/**
 * Results a second through the whole pipeline (pipeline.ts) into SQLite, and into a PostgreSQL that
 * the bench starts itself with its settings for durability on: results, roll-ups, states and the live
 * stream's log, in batches of a thousand as the probe's delivery makes them. The baseline is the least
 * that storing them could be: the same rows into `results` alone, a transaction a batch.
 *
 * With `--retention`: How long removing old history makes a batch of results wait: a million raw results past their time
 * are removed while batches of 100 come in every 50 ms. The baseline is the same batches with nothing
 * to remove. The promise is that no slice delays ingest for more than 50 ms.
 *
 * With `--pack`: What keeping results costs: bytes a result once packed (engine/results/pack-format.ts), beside the same results as
 * rows in the same store, and the time to read a day of one monitor back, beside the same from rows. Also
 * what packing itself takes. Durations are log-normal, 30 % around medians of 25 ms (connection), 30 ms
 * (TLS) and 60 ms (first byte); every other monitor is HTTPS.
 */

import { setTimeout as wait } from "node:timers/promises";
import { ingestBatch } from "../server/src/app/pipeline.ts";
import type { ProbeResult } from "../server/src/engine/probe/link.ts";
import { insertResults, listResults } from "../server/src/engine/queries/results.ts";
import { HOUR_MS, hourOf, packResults, unpackResults } from "../server/src/engine/results/pack-format.ts";
import { runPacking } from "../server/src/engine/results/pack-results.ts";
import { runRetention } from "../server/src/engine/results/retention.ts";
import type { StoredResult } from "../server/src/engine/results/stored-result.ts";
import { systemClock } from "../server/src/platform/clock.ts";
import type { Context } from "../server/src/platform/context.ts";
import { insertMany } from "../server/src/platform/database/bulk.ts";
import type { StoreLocation } from "../server/src/platform/database/open.ts";
import { openDatabase } from "../server/src/platform/database/sqlite.ts";
import type { Store } from "../server/src/platform/database/store.ts";
import { hourOfResults } from "../server/test/engine/results/packed-hours.ts";
import { type Measurement, machineLoad, median, quantile, report } from "./harness.ts";
import { seedMonitors } from "./seed.ts";
import { type BenchStore, onEachStore, onSqlite } from "./stores.ts";

const MONITORS = 10_000;
const INTERVAL_MS = 30_000;
const BATCH = 1_000;
const BATCHES_A_ROUND = 20;
const ROUNDS = 5;
const MIN_PER_SECOND = { SQLite: 30_000, PostgreSQL: 15_000 };

async function measureIngest({ engine, store }: BenchStore): Promise<Measurement[]> {
  const url = () => "http://127.0.0.1/";
  await seedMonitors(store, { monitors: MONITORS, intervalSeconds: 30, urlOf: url, locations: null });
  const ctx = {
    store,
    clock: systemClock,
    live: { wake() {} },
    config: { smtp: null },
  } as unknown as Context;
  const bare: Rate[] = [];
  const whole: Rate[] = [];
  for (let round = 0; round <= ROUNDS; round++) {
    const batches = makeBatches(round);
    // Of monitors that do not exist: no other table has anything to do with them.
    const rows = batches.map((batch) => batch.map(toRow));
    const storing = await rateOf(rows, (batch) => insertOnly(store, batch));
    const ingesting = await rateOf(batches, (batch) => ingestBatch(ctx, batch));
    // The first round warms up.
    if (round === 0) continue;
    bare.push(storing);
    whole.push(ingesting);
  }
  return measurementsOf(engine, bare, whole);
}

interface Rate {
  aSecond: number;
  /** Of this process, so of PostgreSQL's work only its client's. */
  cpuUs: number;
}

async function rateOf<Batch>(
  batches: readonly Batch[],
  store: (batch: Batch) => Promise<unknown>,
): Promise<Rate> {
  const count = batches.length * BATCH;
  const begun = performance.now();
  const before = process.cpuUsage();
  for (const batch of batches) await store(batch);
  const { user, system } = process.cpuUsage(before);
  return { aSecond: (count * 1000) / (performance.now() - begun), cpuUs: (user + system) / count };
}

function measurementsOf(engine: BenchStore["engine"], bare: Rate[], whole: Rate[]): Measurement[] {
  const aSecond = (rates: Rate[]) => median(rates.map((rate) => rate.aSecond));
  const cpuUs = (rates: Rate[]) => median(rates.map((rate) => rate.cpuUs));
  return [
    { name: `${engine}: rows into results alone`, value: aSecond(bare), unit: "results/s" },
    {
      name: `${engine}: through the pipeline`,
      value: aSecond(whole),
      unit: "results/s",
      target: { atLeast: MIN_PER_SECOND[engine] },
    },
    { name: `${engine}: CPU of a row alone`, value: cpuUs(bare), unit: "µs CPU a result" },
    { name: `${engine}: CPU through the pipeline`, value: cpuUs(whole), unit: "µs CPU a result" },
  ];
}

/** One run of every monitor after another: no result comes twice, and every monitor has its turn. */
function makeBatches(round: number): ProbeResult[][] {
  const from = Date.now() - (ROUNDS + 2) * 2 * INTERVAL_MS;
  const scheduled = (i: number) =>
    from + (2 * round + Math.floor(i / MONITORS)) * INTERVAL_MS + ((i % MONITORS) * INTERVAL_MS) / MONITORS;
  return Array.from({ length: BATCHES_A_ROUND }, (_, batch) =>
    Array.from({ length: BATCH }, (__, n) => {
      const i = batch * BATCH + n;
      return makeResult((i % MONITORS) + 1, Math.floor(scheduled(i)));
    }),
  );
}

function makeResult(monitorId: number, scheduledAt: number): ProbeResult {
  return {
    monitorId,
    location: "local",
    scheduledAt,
    verdict: "ok",
    reason: null,
    statusCode: 200,
    address: "127.0.0.1",
    protocol: "http/1.1",
    phases: {
      dnsUs: 800,
      connectUs: 1_000 + (monitorId % 700),
      tlsUs: null,
      firstByteUs: 20_000 + ((monitorId * 31) % 9_000),
      transferUs: 400 + ((monitorId * 41) % 300),
      totalUs: 23_000 + ((monitorId * 37) % 9_900),
    },
  };
}

function toRow(result: ProbeResult): StoredResult {
  return {
    monitorId: result.monitorId + 1_000_000,
    locationId: 1,
    scheduledAt: result.scheduledAt,
    outcome: 0,
    statusCode: result.statusCode,
    ...result.phases,
    reason: null,
    message: null,
    maintenance: 0,
  };
}

function insertOnly(store: Store, rows: StoredResult[]): Promise<unknown> {
  return store.transaction((trx) => insertResults(trx, rows));
}

const AGED_MONITORS = 500;
const OLD_A_MONITOR = 2_000;
const SMALL_BATCH = 100;
const EVERY_MS = 50;
const QUIET_BATCHES = 100;
const DAY_MS = 86_400_000;
const RAW_DAYS = 90;
const MAX_SLICE_MS = 50;

async function measureRetention({ engine, store }: BenchStore): Promise<Measurement[]> {
  const url = () => "http://127.0.0.1/";
  await seedMonitors(store, { monitors: AGED_MONITORS, intervalSeconds: 30, urlOf: url, locations: null });
  await fillOld(store);
  const ctx = {
    store,
    clock: systemClock,
    live: { wake() {} },
    config: { smtp: null },
  } as unknown as Context;
  const next = batches();
  let made = 0;
  const quiet = await timeBatches(ctx, next, () => made++ < QUIET_BATCHES);
  let removing = true;
  const removal = runRetention(ctx, { rawDaysOf: () => RAW_DAYS }).finally(() => {
    removing = false;
  });
  const busy = await timeBatches(ctx, next, () => removing);
  const { rows, longestMs } = await removal;
  const line = (what: string, value: number, unit = "ms"): Measurement => ({
    name: `${engine}: ${what}`,
    value,
    unit,
  });
  return [
    line("results removed", rows.results ?? 0, "rows"),
    line("a batch with nothing to remove, p99", quantile(quiet, 0.99)),
    line("a batch meanwhile, p99", quantile(busy, 0.99)),
    line("a batch with nothing to remove, longest", Math.max(...quiet)),
    line("a batch meanwhile, longest", Math.max(...busy)),
    { ...line("the longest slice", longestMs), target: { atMost: MAX_SLICE_MS } },
  ];
}

async function fillOld(store: Store): Promise<void> {
  const from = Date.now() - (RAW_DAYS + 10) * DAY_MS;
  for (let monitor = 1; monitor <= AGED_MONITORS; monitor++) {
    const rows = Array.from({ length: OLD_A_MONITOR }, (_, n) => ({
      monitor_id: monitor,
      location_id: 1,
      scheduled_at: from + n * 30_000,
      outcome: 0,
      status_code: 200,
      connect_us: 1_000 + n,
      first_byte_us: 20_000 + n,
      transfer_us: 50,
      total_us: 21_000 + n,
      maintenance: 0,
    }));
    await insertMany(store.db, "results", rows);
  }
}

/** Milliseconds that each batch took, one every 50 ms for as long as `go` says. */
async function timeBatches(ctx: Context, next: () => ProbeResult[], go: () => boolean): Promise<number[]> {
  const took: number[] = [];
  while (go()) {
    const begun = performance.now();
    await ingestBatch(ctx, next());
    took.push(performance.now() - begun);
    await wait(Math.max(0, EVERY_MS - (performance.now() - begun)));
  }
  return took;
}

function batches(): () => ProbeResult[] {
  let n = 0;
  return () => Array.from({ length: SMALL_BATCH }, () => result((n++ % AGED_MONITORS) + 1, n));
}

function result(monitorId: number, n: number): ProbeResult {
  return {
    monitorId,
    location: "local",
    scheduledAt: Date.now() - 1_000 + (n % 1_000),
    verdict: "ok",
    reason: null,
    statusCode: 200,
    address: "127.0.0.1",
    protocol: "http/1.1",
    phases: {
      dnsUs: null,
      connectUs: 900,
      tlsUs: null,
      firstByteUs: 20_000,
      transferUs: 50,
      totalUs: 21_000,
    },
  };
}

const INTERVALS = [10, 30, 60] as const;
/** Of each interval so many monitors that they make about 100,000 results a day. */
const monitorsOf = (intervalSeconds: number) => (12 * intervalSeconds) / 10;
const HOURS = 24;
const FIRST_HOUR = hourOf(Date.now()) - 30 * HOUR_MS;
const READS = 60;
const BYTES = 6;
const DAY_READ_MS = 1;

async function measurePacks(): Promise<Measurement[]> {
  const found = measureCodec();
  for (const seconds of INTERVALS.slice(0, -1))
    found.push(...(await onSqlite((store) => measureReading(store, seconds))));
  found.push(...(await onEachStore((store) => measureReading(store, 60))));
  return [...found, { name: "load of the machine", value: machineLoad(), unit: "processes" }];
}

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

async function measureReading(
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

if (process.argv[2] === "--pack") report(await measurePacks());
else report(await onEachStore(process.argv[2] === "--retention" ? measureRetention : measureIngest));
