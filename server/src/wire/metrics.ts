import type { MonitorGauge } from "../store/queries/monitor-gauges.ts";

const STATUS_CODES = { unknown: 0, up: 1, degraded: 2, down: 3 };

interface Metric {
  name: string;
  help: string;
  /** Null: no sample for this monitor. */
  read(monitor: MonitorGauge): number | null;
}

const METRICS: readonly Metric[] = [
  {
    name: "vedette_monitor_up",
    help: "1 while up or degraded, 0 while down; absent while unknown.",
    read: ({ status }) => (status === "unknown" ? null : status === "down" ? 0 : 1),
  },
  {
    name: "vedette_monitor_status",
    help: "0 unknown, 1 up, 2 degraded, 3 down.",
    read: ({ status }) => STATUS_CODES[status],
  },
  { name: "vedette_monitor_enabled", help: "0 while paused.", read: ({ enabled }) => (enabled ? 1 : 0) },
  {
    name: "vedette_monitor_response_seconds",
    help: "Duration of the last check.",
    read: ({ totalUs }) => (totalUs === null ? null : totalUs / 1e6),
  },
  {
    name: "vedette_monitor_certificate_expiry_timestamp_seconds",
    help: "When the certificate expires, as Unix time.",
    read: ({ certificateExpiresAt }) => (certificateExpiresAt === null ? null : certificateExpiresAt / 1000),
  },
];

/** The monitors' part of /metrics, in Prometheus' text exposition format 0.0.4, a metric at a time. */
export function* monitorMetrics(monitors: readonly MonitorGauge[]): Generator<string> {
  const labels = monitors.map(
    ({ id, name, kind, organization }) =>
      `{organization="${escape(organization)}",monitor="${id}",name="${escape(name)}",kind="${kind}"}`,
  );
  for (const { name, help, read } of METRICS) {
    const samples = monitors.flatMap((monitor, at) => {
      const value = read(monitor);
      return value === null ? [] : [`${name}${labels[at]} ${value}\n`];
    });
    yield `# HELP ${name} ${help}\n# TYPE ${name} gauge\n${samples.join("")}`;
  }
}

const escape = (text: string): string =>
  text.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n");
