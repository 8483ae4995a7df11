import type { PeriodSeconds } from "../../platform/database/table.ts";
/** The ranges of which statistics can be requested (API: `range`). */
export const RANGES = ["1h", "24h", "7d", "30d"] as const;
export type RangeName = (typeof RANGES)[number];

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** How long each is, milliseconds. */
export const RANGE_MS: Record<RangeName, number> = {
  "1h": HOUR_MS,
  "24h": DAY_MS,
  "7d": 7 * DAY_MS,
  "30d": 30 * DAY_MS,
};
/** Fine enough to see an outage in, and at most 720 points for one monitor. */
const RANGE_PERIOD: Record<RangeName, PeriodSeconds> = { "1h": 300, "24h": 300, "7d": 3600, "30d": 3600 };

/** The start of the bucket, in milliseconds, that `at` lies in. */
export const bucketStart = (at: number, periodSeconds: PeriodSeconds): number =>
  at - (at % (periodSeconds * 1000));

/** The times from `begin` on that are `stepMs` apart and before `end`. */
export const startsBetween = (begin: number, end: number, stepMs: number): number[] =>
  Array.from({ length: Math.max(0, Math.ceil((end - begin) / stepMs)) }, (_, i) => begin + i * stepMs);

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

/** How finely metrics of devices can be requested (API: `resolution`): as they were reported, or rolled up. */
export const RESOLUTIONS = ["raw", "1m", "15m", "1h"] as const;
export type Resolution = (typeof RESOLUTIONS)[number];

interface ResolutionDetails {
  /** Length of a bucket, seconds; 0: none. What it is stored as. */
  seconds: number;
  /** The time that one pack covers: as much as is read at once, and little enough to be written anew every hour. */
  packMs: number;
  days: number;
  /** The longest range that it is chosen for, so that a chart has some 1,000 points. */
  longestMs: number;
}

/** Finest first. */
export const RESOLUTION_DETAILS: Readonly<Record<Resolution, ResolutionDetails>> = {
  raw: { seconds: 0, packMs: HOUR_MS, days: 2, longestMs: 3 * HOUR_MS },
  "1m": { seconds: 60, packMs: HOUR_MS, days: 30, longestMs: DAY_MS },
  "15m": { seconds: 900, packMs: DAY_MS, days: 90, longestMs: 14 * DAY_MS },
  "1h": { seconds: 3_600, packMs: DAY_MS, days: 730, longestMs: Infinity },
};

/** The next one that is coarser; null: none is. */
export const coarserThan = (resolution: Resolution): Resolution | null =>
  RESOLUTIONS[RESOLUTIONS.indexOf(resolution) + 1] ?? null;

/** How far back it reaches, milliseconds. */
export const retentionMs = (resolution: Resolution): number => RESOLUTION_DETAILS[resolution].days * DAY_MS;

/** Where the pack begins that has what was at `at`. */
export function packBegin(resolution: Resolution, at: number): number {
  const { packMs } = RESOLUTION_DETAILS[resolution];
  return at - (at % packMs);
}

/** The start of the bucket that `at` lies in; of what is not rolled up, itself. */
export function bucketBegin(resolution: Resolution, at: number): number {
  const { seconds } = RESOLUTION_DETAILS[resolution];
  return seconds === 0 ? at : at - (at % (seconds * 1000));
}

/** The finest that covers the range and does not have too many points in it. A minute's delay does not make it coarser. */
export function chooseResolution({ from, to }: { from: number; to: number }, now: number): Resolution {
  const slackMs = 60_000;
  const fits = (resolution: Resolution) =>
    to - from <= RESOLUTION_DETAILS[resolution].longestMs + slackMs &&
    now - from <= retentionMs(resolution) + slackMs;
  return RESOLUTIONS.find(fits) ?? "1h";
}
