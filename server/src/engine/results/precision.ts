import type { Phases } from "../../checks/check.ts";
import type { PeriodSeconds } from "../../platform/database/table.ts";

/**
 * The precision that durations are stored with: the largest of 1, 2, 5, 10, 20, 50 … µs that is at most
 * 1/256 of the duration, so that rounding changes none by more than 0.2 % (ADR 0011). Up to half a
 * millisecond that is the microsecond itself, at 20 ms it is 50 µs, at 1 s 2 ms.
 */
const FINENESS = 256;
const STEPS = [1, 2, 5];
/** Half an hour, in microseconds: far above any check. Longer ones are stored as they are. */
const MAX_US = 2 * 10 ** 9;

/** Ranges of durations with one step; ranks count the durations that are stored, from 0 on. */
const segments: { from: number; step: number; rank: number }[] = [{ from: 0, step: 1, rank: 0 }];
for (let step = 2, i = 1; FINENESS * step < MAX_US; i += 1) {
  const last = segments.at(-1) as (typeof segments)[number];
  const from = FINENESS * step;
  segments.push({ from, step, rank: last.rank + (from - last.from) / last.step });
  step = (STEPS[(i + 1) % 3] as number) * 10 ** Math.floor((i + 1) / 3);
}

/** The segment that the numbers of so many bits begin in; the right one is there or shortly after. */
const firstOf = Uint8Array.from({ length: 33 }, (_, bits) =>
  segments.findLastIndex(({ from }) => from <= (bits === 0 ? 0 : 2 ** (bits - 1))),
);
const froms = Float64Array.from(segments, ({ from }) => from);
const steps = Float64Array.from(segments, ({ step }) => step);
const ranks = Float64Array.from(segments, ({ rank }) => rank);

/** Microseconds by rank. */
const values = tabulate();

function tabulate(): Int32Array {
  const all: number[] = [];
  for (const [i, { from, step }] of segments.entries()) {
    const to = segments[i + 1]?.from ?? MAX_US;
    for (let us = from; us < to; us += step) all.push(us);
  }
  return Int32Array.from(all);
}

function segmentOf(us: number): number {
  let segment = firstOf[32 - Math.clz32(us)] as number;
  while (us >= (froms[segment + 1] ?? Infinity)) segment += 1;
  return segment;
}

const inRange = (us: number) => us >= 0 && us < MAX_US;

/** A duration in microseconds (an integer) at the precision that is stored. Rounding twice changes nothing more. */
export function roundUs(us: number): number {
  if (!inRange(us)) return us;
  const step = steps[segmentOf(us)] as number;
  return Math.round(us / step) * step;
}

/** How many shorter durations there are at this precision; -1 for one that is not of this precision. */
export function rankOfUs(us: number): number {
  if (!inRange(us)) return -1;
  const segment = segmentOf(us);
  const above = (us - (froms[segment] as number)) / (steps[segment] as number);
  return Number.isInteger(above) ? (ranks[segment] as number) + above : -1;
}

/** The rank of the duration after rounding, for any that is in range; of the nearest limit for others. */
export function nearestRank(us: number): number {
  if (!inRange(us)) return us < 0 ? 0 : values.length - 1;
  const segment = segmentOf(us);
  return (
    (ranks[segment] as number) + Math.round((us - (froms[segment] as number)) / (steps[segment] as number))
  );
}

/** The duration in microseconds of a rank; undefined for no rank. */
export const usOfRank = (rank: number): number | undefined => values[rank];

/**
 * The distance in ranks from what `beforeUs` rounds to, to where a duration ends that begins there; -1 where
 * no distance gives it back. What comes last is a part of a whole and need not be more precise than that.
 */
export function rankAfter(beforeUs: number, us: number): number {
  if (!inRange(us) || !inRange(beforeUs + us)) return -1;
  const from = nearestRank(beforeUs);
  const distance = nearestRank((values[from] as number) + us) - from;
  return usAfter(beforeUs, distance) === us ? distance : -1;
}

/** The duration of that distance; undefined for none. */
export function usAfter(beforeUs: number, distance: number): number | undefined {
  const from = nearestRank(beforeUs);
  const end = values[from + distance];
  return end === undefined ? undefined : end - (values[from] as number);
}

/** A duration that ends a whole whose other parts take `beforeUs`, at the precision of the whole. */
function roundAfter(beforeUs: number, us: number): number {
  if (!inRange(us) || !inRange(beforeUs + us)) return us;
  const from = nearestRank(beforeUs);
  return usAfter(beforeUs, nearestRank((values[from] as number) + us) - from) ?? us;
}

const rounded = (us: number | null) => (us === null ? null : roundUs(us));

/** Phases of a check at the precision that is stored. Older probes send no transfer. */
export function roundPhases(phases: Phases): Phases {
  const dnsUs = rounded(phases.dnsUs);
  const connectUs = rounded(phases.connectUs);
  const tlsUs = rounded(phases.tlsUs);
  const firstByteUs = rounded(phases.firstByteUs);
  const beforeUs = (dnsUs ?? 0) + (connectUs ?? 0) + (tlsUs ?? 0) + (firstByteUs ?? 0);
  const transferUs = phases.transferUs == null ? null : roundAfter(beforeUs, phases.transferUs);
  return { dnsUs, connectUs, tlsUs, firstByteUs, transferUs, totalUs: rounded(phases.totalUs) };
}

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
