/**
 * Results a second through the whole pipeline (pipeline.ts) into SQLite, and into a PostgreSQL that
 * the bench starts itself with its settings for durability on: results, roll-ups, states and the live
 * stream's log, in batches of a thousand as the probe's delivery makes them. The baseline is the least
 * that storing them could be: the same rows into `results` alone, a transaction a batch.
 */
import { systemClock } from "../server/src/clock.ts";
import type { Context } from "../server/src/context.ts";
import { ingestBatch } from "../server/src/pipeline.ts";
import type { ProbeResult } from "../server/src/probe/link.ts";
import type { StoredResult } from "../server/src/result/stored-result.ts";
import { insertResults } from "../server/src/store/queries/results.ts";
import type { Store } from "../server/src/store/store.ts";
import { type Measurement, median, report } from "./harness.ts";
import { seedMonitors } from "./seed.ts";
import { type BenchStore, onEachStore } from "./stores.ts";

const MONITORS = 10_000;
const INTERVAL_MS = 30_000;
const BATCH = 1_000;
const BATCHES_A_ROUND = 20;
const ROUNDS = 5;
const MIN_PER_SECOND = { SQLite: 30_000, PostgreSQL: 15_000 };

report(await onEachStore(measure));

async function measure({ engine, store }: BenchStore): Promise<Measurement[]> {
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
  return figures(engine, bare, whole);
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

function figures(engine: BenchStore["engine"], bare: Rate[], whole: Rate[]): Measurement[] {
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
