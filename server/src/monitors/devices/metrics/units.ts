/** Also the first part of their names. */
export const METRIC_TYPES = ["cpu", "memory", "disk", "network"] as const;
export type MetricType = (typeof METRIC_TYPES)[number];

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

/** Last parts of names; all but degrees are never negative. */
export const MEASURED_FROM_ZERO: readonly string[] = Object.keys(UNIT_OF).filter(
  (part) => UNIT_OF[part] !== "celsius",
);

/** `number` for names of newer agents. */
export const unitOf = (name: string): MetricUnit =>
  UNIT_OF[name.slice(name.lastIndexOf(".") + 1)] ?? "number";

export const typeOf = (name: string): MetricType =>
  METRIC_TYPES.find((type) => name.startsWith(`${type}.`)) ?? "cpu";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** API: `resolution`; raw or rolled up. */
export const RESOLUTIONS = ["raw", "1m", "15m", "1h"] as const;
export type Resolution = (typeof RESOLUTIONS)[number];

interface ResolutionDetails {
  /** Of a bucket, as stored; 0: raw. */
  seconds: number;
  /** Of one pack: as much as is read at once, and small enough to be rewritten every hour. */
  packMs: number;
  days: number;
  /** The longest range it is chosen for, so that a chart has some 1,000 points. */
  longestMs: number;
}

/** Finest first. */
export const RESOLUTION_DETAILS: Readonly<Record<Resolution, ResolutionDetails>> = {
  raw: { seconds: 0, packMs: HOUR_MS, days: 2, longestMs: 3 * HOUR_MS },
  "1m": { seconds: 60, packMs: HOUR_MS, days: 30, longestMs: DAY_MS },
  "15m": { seconds: 900, packMs: DAY_MS, days: 90, longestMs: 14 * DAY_MS },
  "1h": { seconds: 3_600, packMs: DAY_MS, days: 730, longestMs: Infinity },
};

/** Null: it is the coarsest. */
export const coarserThan = (resolution: Resolution): Resolution | null =>
  RESOLUTIONS[RESOLUTIONS.indexOf(resolution) + 1] ?? null;

export const retentionMs = (resolution: Resolution): number => RESOLUTION_DETAILS[resolution].days * DAY_MS;

export function packBegin(resolution: Resolution, at: number): number {
  const { packMs } = RESOLUTION_DETAILS[resolution];
  return at - (at % packMs);
}

/** Of raw values, `at` itself. */
export function bucketBegin(resolution: Resolution, at: number): number {
  const { seconds } = RESOLUTION_DETAILS[resolution];
  return seconds === 0 ? at : at - (at % (seconds * 1000));
}

/**
 * The finest one that is retained for the range without too many points. A minute's delay does not make it
 * coarser.
 */
export function chooseResolution({ from, to }: { from: number; to: number }, now: number): Resolution {
  const slackMs = 60_000;
  const fits = (resolution: Resolution) =>
    to - from <= RESOLUTION_DETAILS[resolution].longestMs + slackMs &&
    now - from <= retentionMs(resolution) + slackMs;
  return RESOLUTIONS.find(fits) ?? "1h";
}
