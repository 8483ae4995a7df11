import type { HealthLevel } from "../../monitors/devices/rules.ts";
import type { MeasuredDevice, MeasuredMonitor } from "../gauges.ts";
import type { MonitorGauge } from "../queries/gauges.ts";

const STATUS_CODES = { unknown: 0, up: 1, degraded: 2, down: 3 };

interface MonitorMetric {
  name: string;
  help: string;
  /** Null: no sample for this monitor. */
  read(monitor: MonitorGauge): number | null;
}

const flag = (is: boolean): number => (is ? 1 : 0);
const seconds = (ms: number | null): number | null => (ms === null ? null : ms / 1000);

const MONITOR_METRICS: readonly MonitorMetric[] = [
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

export function* monitorMetrics(monitors: readonly MeasuredMonitor[]): Generator<string> {
  const texts = new Map<number, string>();
  const labelsOf = (monitor: MonitorGauge): string => {
    const labels = texts.get(monitor.id) ?? monitorLabels(monitor);
    texts.set(monitor.id, labels);
    return labels;
  };
  for (const { name, help, read } of MONITOR_METRICS) {
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
  { read, labelsOf }: Pick<MonitorMetric, "read"> & { labelsOf: LabelsOf },
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

const monitorLabels = ({ organization, id, name, kind }: MonitorGauge): string =>
  labelText({ organization, monitor: id, name, kind });

type Labels = Readonly<Record<string, string | number>>;

interface Sample {
  labels: string;
  value: number;
}

/** Per part. */
const LINES = 500;

/**
 * Prometheus' text exposition format 0.0.4, some hundred lines at a time, so that other requests do not wait.
 * Nothing without samples.
 */
function* gaugeText(name: string, help: string, samples: Iterable<Sample>): Generator<string> {
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

/** Escaped: people and monitored machines choose the values. */
const labelText = (labels: Labels): string =>
  Object.entries(labels)
    .map(([name, value]) => `${name}="${escape(String(value))}"`)
    .join();

/** A NUL would end Prometheus' reading, and a lone surrogate is not UTF-8. */
const escape = (text: string): string =>
  text
    .toWellFormed()
    .replaceAll("\0", "\ufffd")
    .replaceAll("\\", "\\\\")
    .replaceAll('"', '\\"')
    .replaceAll("\n", "\\n");

const HEALTH_CODES: Record<HealthLevel, number> = { healthy: 0, warning: 1, critical: 2 };

interface DeviceMetric {
  name: string;
  help: string;
  /** The middle part of the agent's name becomes this label. */
  label?: "mountpoint" | "disk" | "interface";
  percent?: true;
}

/** By the agent's names; `*` is the agent's name of a file system, disk or interface. */
const DEVICE_METRICS: Readonly<Record<string, DeviceMetric>> = {
  "cpu.usage": { name: "cpu_usage_ratio", help: "Use of all processors together.", percent: true },
  "cpu.load1": { name: "load1", help: "Load average of 1 minute." },
  "cpu.load5": { name: "load5", help: "Load average of 5 minutes." },
  "cpu.load15": { name: "load15", help: "Load average of 15 minutes." },
  "cpu.temperature": { name: "cpu_temperature_celsius", help: "Temperature of the hottest processor." },
  "memory.usage": {
    name: "memory_usage_ratio",
    help: "Part of the memory that is not available.",
    percent: true,
  },
  "memory.used": { name: "memory_used_bytes", help: "Memory that is not available." },
  "memory.available": { name: "memory_available_bytes", help: "Memory that programs can still get." },
  "memory.swap.usage": {
    name: "swap_usage_ratio",
    help: "Part of the swap space that is used.",
    percent: true,
  },
  "memory.swap.used": { name: "swap_used_bytes", help: "Swap space that is used." },
  "disk.*.usage": {
    ...{ name: "filesystem_usage_ratio", help: "Part of a file system's space that is used." },
    ...{ label: "mountpoint", percent: true },
  },
  "disk.*.used": { name: "filesystem_used_bytes", help: "Used space of a file system.", label: "mountpoint" },
  "disk.*.total": { name: "filesystem_size_bytes", help: "Size of a file system.", label: "mountpoint" },
  "disk.*.inodes": {
    ...{ name: "filesystem_inodes_usage_ratio", help: "Part of a file system's inodes that is used." },
    ...{ label: "mountpoint", percent: true },
  },
  "disk.*.read": { name: "disk_read_bytes_per_second", help: "Read from a disk.", label: "disk" },
  "disk.*.write": { name: "disk_written_bytes_per_second", help: "Written to a disk.", label: "disk" },
  "disk.*.busy": {
    ...{ name: "disk_busy_ratio", help: "Part of the time that a disk was at work." },
    ...{ label: "disk", percent: true },
  },
  "network.rx": {
    ...{
      name: "network_all_receive_bytes_per_second",
      help: "Received by all physical interfaces together.",
    },
  },
  "network.tx": {
    ...{ name: "network_all_transmit_bytes_per_second", help: "Sent by all physical interfaces together." },
  },
  "network.errors": {
    ...{ name: "network_all_errors_per_second", help: "Errors of all physical interfaces together." },
  },
  "network.*.rx": {
    ...{ name: "network_receive_bytes_per_second", help: "Received by a network interface." },
    label: "interface",
  },
  "network.*.tx": {
    ...{ name: "network_transmit_bytes_per_second", help: "Sent by a network interface." },
    label: "interface",
  },
  "network.*.errors": {
    ...{ name: "network_errors_per_second", help: "Errors of a network interface, in both directions." },
    label: "interface",
  },
};

/** Per device and label, whatever an agent reports. */
const MAX_PARTS = 50;
/** The parts of `disk./var.usage`; the middle may contain dots. */
const PARTED = /^(disk|network)\.(.+)\.([a-z]+)$/s;

export function* deviceMetrics(found: readonly MeasuredDevice[]): Generator<string> {
  const devices = found.map((device) => ({ ...device, labels: monitorLabels(device.monitor) }));
  yield* gaugeText(
    "vedette_device_health",
    "0 healthy, 1 warning, 2 critical; absent while offline.",
    devices.flatMap(({ labels, health }) => (health === null ? [] : { labels, value: HEALTH_CODES[health] })),
  );
  yield* gaugeText(
    "vedette_device_last_report_timestamp_seconds",
    "When its agent reported last, as Unix time.",
    devices.flatMap(({ labels, reportedAt }) =>
      reportedAt === null ? [] : { labels, value: reportedAt / 1000 },
    ),
  );
  yield* gaugeText(
    "vedette_device_unresponsive_mounts",
    "Mounted file systems that did not answer at the last report.",
    devices.flatMap(({ labels, unresponsiveMounts }) =>
      unresponsiveMounts === null ? [] : { labels, value: unresponsiveMounts },
    ),
  );
  const samples = new Map<string, Sample[]>(Object.keys(DEVICE_METRICS).map((pattern) => [pattern, []]));
  for (const device of devices) {
    addSamples(samples, device);
    // Lets the writer yield to other work.
    yield "";
  }
  for (const [pattern, { name, help }] of Object.entries(DEVICE_METRICS)) {
    yield* gaugeText(`vedette_device_${name}`, help, samples.get(pattern) ?? []);
  }
}

function addSamples(
  to: ReadonlyMap<string, Sample[]>,
  { labels, metrics }: MeasuredDevice & { labels: string },
): void {
  const parts: Partial<Record<NonNullable<DeviceMetric["label"]>, Set<string>>> = {};
  // By name, so that always the same ones are left out.
  for (const [own, reported] of metrics.toSorted(([a], [b]) => (a < b ? -1 : 1))) {
    const { pattern, part } = parsed(own);
    const samples = to.get(pattern);
    if (!samples) continue;
    const { label, percent } = DEVICE_METRICS[pattern] as DeviceMetric;
    const value = percent ? reported / 100 : reported;
    if (label === undefined || part === null) {
      samples.push({ labels, value });
      continue;
    }
    const known = (parts[label] ??= new Set());
    if (!known.has(part) && known.size >= MAX_PARTS) continue;
    known.add(part);
    samples.push({ labels: `${labels},${labelText({ [label]: part })}`, value });
  }
}

function parsed(name: string): { pattern: string; part: string | null } {
  const [, type, part = null, what] = PARTED.exec(name) ?? [];
  return part === null ? { pattern: name, part } : { pattern: `${type}.*.${what}`, part };
}
