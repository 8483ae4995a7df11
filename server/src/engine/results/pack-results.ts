import type { Context } from "../../platform/context.ts";
import { listUnpacked, type PackedSlice, packOldestHour } from "../queries/pack-oldest-hour.ts";
import { raisePackedBefore } from "../queries/packs.ts";
import { type DamagedPackError, HOUR_MS, hourOf } from "./pack-format.ts";
import { createThrottle, type Throttle } from "./throttle.ts";

const MONITORS_A_PAGE = 200;
/** An hour of ten locations every 20 s, or of two every 10 s: some milliseconds of work. */
const ROWS_A_SLICE = 2_000;

interface PackingReport {
  results: number;
  packs: number;
  slices: number;
  /** The longest that one slice took, milliseconds. */
  longestMs: number;
  /** False when the signal ended it early; the next run goes on. */
  finished: boolean;
}

/**
 * Packs the results of whole hours that ended an hour ago or earlier, and merges those that have come late into the packs they
 * belong to. A slice is an hour of one monitor, a transaction of its own, with pauses between, so that a batch of results never
 * waits long. What cannot be packed stays as it is, is logged, and is tried again by the next run.
 */
export async function runPacking(
  ctx: Pick<Context, "store" | "clock" | "log">,
  options: { signal?: AbortSignal } = {},
): Promise<PackingReport> {
  const throttle = createThrottle(options.signal);
  const report = { results: 0, packs: 0 };
  await packMonitors(ctx, throttle, report, hourOf(ctx.clock.now() - HOUR_MS));
  return {
    ...report,
    slices: throttle.slices,
    longestMs: throttle.longestMs,
    finished: !throttle.aborted,
  };
}

type Counts = Pick<PackingReport, "results" | "packs">;

async function packMonitors(
  ctx: Pick<Context, "store" | "log">,
  throttle: Throttle,
  report: Counts,
  before: number,
): Promise<void> {
  const { db } = ctx.store;
  await raisePackedBefore(db, before);
  let afterId = 0;
  while (!throttle.aborted) {
    const page = { before, afterId, limit: MONITORS_A_PAGE };
    const monitors = await throttle.once(() => listUnpacked(db, page));
    for (const { monitorId, oldestAt } of monitors) {
      afterId = monitorId;
      if (oldestAt !== null) await packMonitor(ctx, throttle, report, { monitorId, from: oldestAt, before });
      if (throttle.aborted) return;
    }
    if (monitors.length < MONITORS_A_PAGE) return;
  }
}

async function packMonitor(
  { store, log }: Pick<Context, "store" | "log">,
  throttle: Throttle,
  report: Counts,
  { monitorId, before, ...rest }: { monitorId: number; from: number; before: number },
): Promise<void> {
  let from: number | null = rest.from;
  while (from !== null && !throttle.aborted) {
    const slice: Parameters<typeof packOldestHour>[1] = { monitorId, from, before, limit: ROWS_A_SLICE };
    const done: PackedSlice = await throttle.once(() =>
      store.transaction((trx) => packOldestHour(trx, slice)),
    );
    report.results += done.results;
    report.packs += done.packs;
    for (const error of done.problems) {
      log.error({ err: error, monitorId }, "Results could not be packed; they stay as they are");
    }
    from = done.next;
  }
}

/** For lists of results: the rest of a history is worth showing when an hour of it cannot be read. */
export const reportDamage =
  ({ log }: Pick<Context, "log">) =>
  (error: DamagedPackError): void =>
    log.error({ err: error }, "An hour of results cannot be read and is left out of the history");
