/** What metrics are about; what their names begin with. */
export const METRIC_TYPES = ["cpu", "memory", "disk", "network"] as const;
export type MetricType = (typeof METRIC_TYPES)[number];

/** What a metric is measured in. */
export const METRIC_UNITS = ["percent", "bytes", "bytes/s", "errors/s", "load", "celsius", "number"] as const;
type MetricUnit = (typeof METRIC_UNITS)[number];

/** By the last part of a name, which means the same for every core, disk and interface. */
const UNIT_OF: Readonly<Record<string, MetricUnit>> = {
  usage: "percent",
  inodes: "percent",
  busy: "percent",
  used: "bytes",
  available: "bytes",
  total: "bytes",
  read: "bytes/s",
  write: "bytes/s",
  rx: "bytes/s",
  tx: "bytes/s",
  errors: "errors/s",
  load1: "load",
  load5: "load",
  load15: "load",
  temperature: "celsius",
};

/** Last parts of names: what is none of degrees is never below zero. */
export const MEASURED_FROM_ZERO: readonly string[] = Object.keys(UNIT_OF).filter(
  (part) => UNIT_OF[part] !== "celsius",
);

/** The unit of a metric by its name; `number` for one that only a newer agent knows. */
export const unitOf = (name: string): MetricUnit =>
  UNIT_OF[name.slice(name.lastIndexOf(".") + 1)] ?? "number";

/** What a metric is about, by its name. */
export const typeOf = (name: string): MetricType =>
  METRIC_TYPES.find((type) => name.startsWith(`${type}.`)) ?? "cpu";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** How finely metrics can be requested (API: `resolution`): as they were reported, or rolled up. */
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
