import type { PeriodSeconds } from "../../platform/database/table.ts";
/** The ranges of which statistics can be requested (API: `range`). */
export const RANGES = ["1h", "24h", "7d", "30d"] as const;
export type RangeName = (typeof RANGES)[number];

const HOUR_MS = 3_600_000;
/** How long each is, milliseconds. */
export const RANGE_MS: Record<RangeName, number> = {
  "1h": HOUR_MS,
  "24h": 24 * HOUR_MS,
  "7d": 7 * 24 * HOUR_MS,
  "30d": 30 * 24 * HOUR_MS,
};
/** Fine enough to see an outage in, and at most 720 points for one monitor. */
const RANGE_PERIOD: Record<RangeName, PeriodSeconds> = { "1h": 300, "24h": 300, "7d": 3600, "30d": 3600 };

/** The start of the bucket, in milliseconds, that `at` lies in. */
export const bucketStart = (at: number, periodSeconds: PeriodSeconds): number =>
  at - (at % (periodSeconds * 1000));

const PERIODS: readonly PeriodSeconds[] = [300, 3600, 86_400];
/** Points of all monitors together that one answer holds: about 2 MB of JSON. */
const MAX_POINTS = 32_000;

/**
 * Where a range that ends `now` begins, and the roll-ups that answer it for this many monitors: longer ones where there would be
 * too many points. `fromMs` is the start of a bucket: one that began before the range is counted whole.
 */
export function resolveRange(
  range: RangeName,
  now: number,
  monitors = 1,
): { fromMs: number; toMs: number; periodSeconds: PeriodSeconds } {
  const periodSeconds = periodOf(range, monitors);
  return { fromMs: bucketStart(now - RANGE_MS[range], periodSeconds), toMs: now, periodSeconds };
}

function periodOf(range: RangeName, monitors: number): PeriodSeconds {
  const finest = RANGE_PERIOD[range];
  const points = (period: PeriodSeconds) => monitors * (RANGE_MS[range] / (period * 1000) + 1);
  const fitting = PERIODS.find((period) => period >= finest && points(period) <= MAX_POINTS);
  // A range of an hour keeps its 5 minutes: it has 13 points whatever happens.
  return fitting ?? (range === "1h" ? finest : 86_400);
}
