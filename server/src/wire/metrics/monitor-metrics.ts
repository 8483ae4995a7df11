import type { MeasuredMonitor } from "../../report/gauges.ts";
import type { MonitorGauge } from "../../store/queries/gauges.ts";

const STATUS_CODES = { unknown: 0, up: 1, degraded: 2, down: 3 };

interface Metric {
  name: string;
  help: string;
  /** Null: no sample for this monitor. */
  read(monitor: MonitorGauge): number | null;
}

const flag = (is: boolean): number => (is ? 1 : 0);
const seconds = (ms: number | null): number | null => (ms === null ? null : ms / 1000);

const METRICS: readonly Metric[] = [
  {
    name: "vedette_monitor_up",
    help: "1 while up or degraded, 0 while down; absent while unknown.",
    read: ({ status }) => (status === "unknown" ? null : flag(status !== "down")),
  },
  {
    name: "vedette_monitor_status",
    help: "0 unknown, 1 up, 2 degraded, 3 down.",
    read: ({ status }) => STATUS_CODES[status],
  },
  {
    name: "vedette_monitor_status_since_timestamp_seconds",
    help: "Since when it has had this status, as Unix time.",
    read: ({ statusSince }) => seconds(statusSince),
  },
  {
    name: "vedette_monitor_enabled",
    help: "0 while paused.",
    read: ({ enabled }) => flag(enabled),
  },
  {
    name: "vedette_monitor_maintenance",
    help: "1 while a maintenance window is open for it.",
    read: ({ inMaintenance }) => flag(inMaintenance),
  },
  {
    name: "vedette_monitor_last_check_timestamp_seconds",
    help: "When it was checked last, as Unix time.",
    read: ({ lastCheckAt }) => seconds(lastCheckAt),
  },
  {
    name: "vedette_monitor_response_seconds",
    help: "Duration of the last check.",
    read: ({ totalUs }) => (totalUs === null ? null : totalUs / 1e6),
  },
  {
    name: "vedette_monitor_certificate_expiry_timestamp_seconds",
    help: "When the certificate expires, as Unix time.",
    read: ({ certificateExpiresAt }) => seconds(certificateExpiresAt),
  },
  {
    name: "vedette_monitor_certificate_valid",
    help: "1 if the certificate was trusted at the last check, for this host and at that time.",
    read: ({ certificateValid }) => (certificateValid === null ? null : flag(certificateValid)),
  },
];

/** The monitors' part of /metrics, in pieces. */
export function* monitorMetrics(monitors: readonly MeasuredMonitor[]): Generator<string> {
  const texts = new Map<number, string>();
  const labelsOf = (monitor: MonitorGauge): string => {
    const labels = texts.get(monitor.id) ?? monitorLabels(monitor);
    texts.set(monitor.id, labels);
    return labels;
  };
  for (const { name, help, read } of METRICS) {
    yield* gaugeText(name, help, samplesOf(monitors, { read, labelsOf }));
  }
  yield* gaugeText(
    "vedette_monitor_uptime_ratio",
    "Part of the time that it was up, of the time that its status was known and no maintenance window was open.",
    uptimeSamples(monitors, labelsOf),
  );
}

type LabelsOf = (monitor: MonitorGauge) => string;

function* samplesOf(
  monitors: readonly MeasuredMonitor[],
  { read, labelsOf }: Pick<Metric, "read"> & { labelsOf: LabelsOf },
): Generator<Sample> {
  for (const monitor of monitors) {
    const value = read(monitor);
    if (value !== null) yield { labels: labelsOf(monitor), value };
  }
}

function* uptimeSamples(monitors: readonly MeasuredMonitor[], labelsOf: LabelsOf): Generator<Sample> {
  for (const monitor of monitors) {
    const labels = labelsOf(monitor);
    for (const [window, uptime] of Object.entries(monitor.uptimes)) {
      if (uptime !== null) yield { labels: `${labels},${labelText({ window })}`, value: uptime / 100 };
    }
  }
}

/** What every sample of a monitor says of it. */
export const monitorLabels = ({ organization, id, name, kind }: MonitorGauge): string =>
  labelText({ organization, monitor: id, name, kind });

/** What a sample is of: names of labels to their values. */
type Labels = Readonly<Record<string, string | number>>;

/** One value of a gauge, with what stands between the braces (`labelText`). */
export interface Sample {
  labels: string;
  value: number;
}

/** How many lines are made at once. */
const LINES = 500;

/**
 * A gauge with all its samples, in Prometheus' text exposition format 0.0.4, some hundred lines at a time: nobody waits while
 * those of ten thousand monitors are written. Nothing where it has no sample.
 */
export function* gaugeText(name: string, help: string, samples: Iterable<Sample>): Generator<string> {
  let lines = [`# HELP ${name} ${help}\n# TYPE ${name} gauge\n`];
  let count = 0;
  for (const { labels, value } of samples) {
    lines.push(`${name}{${labels}} ${value}\n`);
    count += 1;
    if (count % LINES > 0) continue;
    yield lines.join("");
    lines = [];
  }
  if (count % LINES > 0) yield lines.join("");
}

/** Labels as they stand between braces. People and monitored machines choose the values: they are escaped. */
export const labelText = (labels: Labels): string =>
  Object.entries(labels)
    .map(([name, value]) => `${name}="${escape(String(value))}"`)
    .join();

/** A NUL would end Prometheus' reading, and half a surrogate pair is no UTF-8. */
const escape = (text: string): string =>
  text
    .toWellFormed()
    .replaceAll("\0", "\ufffd")
    .replaceAll("\\", "\\\\")
    .replaceAll('"', '\\"')
    .replaceAll("\n", "\\n");
