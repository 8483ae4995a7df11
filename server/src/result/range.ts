/** The ranges that statistics can be asked for (API: `range`). */
export const RANGES = ["1h", "24h", "7d", "30d"] as const;
export type RangeName = (typeof RANGES)[number];

/** A length of roll-up buckets: 5 minutes, an hour, a day (UTC). */
export type PeriodSeconds = 300 | 3600 | 86_400;

const HOUR_MS = 3_600_000;
const RANGE_MS: Record<RangeName, number> = {
  "1h": HOUR_MS,
  "24h": 24 * HOUR_MS,
  "7d": 7 * 24 * HOUR_MS,
  "30d": 30 * 24 * HOUR_MS,
};
/** Fine enough to see an outage in, and at most 720 points. */
const RANGE_PERIOD: Record<RangeName, PeriodSeconds> = { "1h": 300, "24h": 300, "7d": 3600, "30d": 3600 };

/** The start of the bucket, in milliseconds, that `at` lies in. */
export const bucketStart = (at: number, periodSeconds: PeriodSeconds): number =>
  at - (at % (periodSeconds * 1000));

/**
 * Where a range that ends `now` begins, and the roll-ups that answer it. `fromMs` is the start of a
 * bucket: one that began before the range is counted whole.
 */
export function resolveRange(
  range: RangeName,
  now: number,
): { fromMs: number; toMs: number; periodSeconds: PeriodSeconds } {
  const periodSeconds = RANGE_PERIOD[range];
  return { fromMs: bucketStart(now - RANGE_MS[range], periodSeconds), toMs: now, periodSeconds };
}
