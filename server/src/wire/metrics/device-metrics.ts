import type { HealthLevel } from "../../device/rules.ts";
import type { MeasuredDevice } from "../../report/gauges.ts";
import { gaugeText, labelText, monitorLabels, type Sample } from "./monitor-metrics.ts";

const HEALTH_CODES: Record<HealthLevel, number> = { healthy: 0, warning: 1, critical: 2 };

/** A metric of Prometheus that the agent's figures become. */
interface Metric {
  name: string;
  help: string;
  /** What the middle of the agent's name is of: the label that it becomes. */
  label?: "mountpoint" | "disk" | "interface";
  percent?: true;
}

/** By the agent's names, in which `*` is its own name of a file system, a disk or an interface. */
const METRICS: Readonly<Record<string, Metric>> = {
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

/** File systems, disks and interfaces of a device that have samples, of each: whatever an agent reports, there are no more. */
const MAX_PARTS = 50;
/** The parts of `disk./var.usage`; what is in the middle may have dots. */
const PARTED = /^(disk|network)\.(.+)\.([a-z]+)$/s;

/** The devices' part of /metrics, in pieces. */
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
  const samples = new Map<string, Sample[]>(Object.keys(METRICS).map((pattern) => [pattern, []]));
  for (const device of devices) {
    addSamples(samples, device);
    // Nothing to write yet, but whoever writes may give way to others.
    yield "";
  }
  for (const [pattern, { name, help }] of Object.entries(METRICS)) {
    yield* gaugeText(`vedette_device_${name}`, help, samples.get(pattern) ?? []);
  }
}

function addSamples(
  to: ReadonlyMap<string, Sample[]>,
  { labels, figures }: MeasuredDevice & { labels: string },
): void {
  const parts: Partial<Record<NonNullable<Metric["label"]>, Set<string>>> = {};
  // In the order of their names, so that it is always the same ones that are left out.
  for (const [own, reported] of figures.toSorted(([a], [b]) => (a < b ? -1 : 1))) {
    const { pattern, part } = parsed(own);
    const samples = to.get(pattern);
    if (!samples) continue;
    const { label, percent } = METRICS[pattern] as Metric;
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
