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
