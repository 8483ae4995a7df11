/**
 * How long removing old history makes a batch of results wait: a million raw results past their time
 * are removed while batches of 100 come in every 50 ms. The baseline is the same batches with nothing
 * to remove. The promise (issue: storage) is that no slice stands in ingest's way for more than 50 ms.
 */
import { setTimeout as wait } from "node:timers/promises";
import { systemClock } from "../server/src/clock.ts";
import type { Context } from "../server/src/context.ts";
import { ingestBatch } from "../server/src/pipeline.ts";
import type { ProbeResult } from "../server/src/probe/link.ts";
import { runRetention } from "../server/src/result/retention.ts";
import { insertMany } from "../server/src/store/bulk.ts";
import type { Store } from "../server/src/store/store.ts";
import { type Measurement, quantile, report } from "./harness.ts";
import { seedMonitors } from "./seed.ts";
import { type BenchStore, onEachStore } from "./stores.ts";

const MONITORS = 500;
const OLD_A_MONITOR = 2_000;
const BATCH = 100;
const EVERY_MS = 50;
const QUIET_BATCHES = 100;
const DAY_MS = 86_400_000;
const RAW_DAYS = 90;
const MAX_SLICE_MS = 50;

report(await onEachStore(measure));

async function measure({ engine, store }: BenchStore): Promise<Measurement[]> {
  const url = () => "http://127.0.0.1/";
  await seedMonitors(store, { monitors: MONITORS, intervalSeconds: 30, urlOf: url, locations: null });
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
  for (let monitor = 1; monitor <= MONITORS; monitor++) {
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
  return () => Array.from({ length: BATCH }, () => result((n++ % MONITORS) + 1, n));
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
