/** What metrics are about; what their names begin with. */
export const METRIC_TYPES = ["cpu", "memory", "disk", "network"] as const;
export type MetricType = (typeof METRIC_TYPES)[number];

/** What a metric is told in. */
export const METRIC_UNITS = ["percent", "bytes", "bytes/s", "errors/s", "load", "celsius", "number"] as const;
export type MetricUnit = (typeof METRIC_UNITS)[number];

/** By the last part of a name, which stands for the same whatever core, disk or interface it is of. */
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
