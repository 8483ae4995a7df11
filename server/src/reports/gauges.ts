import { offlineAfterSeconds } from "../checks/agent.ts";
import { UPTIMES } from "../engine/queries/transitions.ts";
import { RANGE_MS } from "../engine/results/precision.ts";
import { reportReader } from "../monitors/devices/metrics/report-metrics.ts";
import type { HealthLevel } from "../monitors/devices/rules.ts";
import type { Context } from "../platform/context.ts";
import { takeTurns } from "../platform/turns.ts";
import {
  type DeviceGauge,
  type MonitorGauge,
  readDeviceGauges,
  readMonitorGauges,
} from "./queries/gauges.ts";

const WINDOWS = ["24h", "7d", "30d"] as const;
const LENGTHS_MS = WINDOWS.map((name) => RANGE_MS[name]);

/** Uptimes by window, 0…100; null: unknown. */
export interface MeasuredMonitor extends MonitorGauge {
  uptimes: Readonly<Record<string, number | null>>;
}

export interface MeasuredDevice {
  monitor: MonitorGauge;
  /** Null: offline. */
  health: HealthLevel | null;
  /** Milliseconds; null: never. */
  reportedAt: number | null;
  /** Null: offline, or not reported by its agent. */
  unresponsiveMounts: number | null;
  /** By the agent's names (metrics/usage.ts); empty where the report is too old. */
  metrics: readonly (readonly [name: string, value: number])[];
}

export interface Gauges {
  monitors: MeasuredMonitor[];
  devices: MeasuredDevice[];
}

type Reading = Pick<Context, "store" | "clock" | "log">;

/** `organizationId` null: all organizations. The number of queries grows only by the thousand monitors. */
export async function readGauges(ctx: Reading, organizationId: number | null): Promise<Gauges> {
  const now = ctx.clock.now();
  const found = await readMonitorGauges(ctx.store.db, organizationId);
  const uptimes = await uptimesOf(ctx, found, now);
  const monitors = found.map((monitor) => ({ ...monitor, uptimes: uptimes.get(monitor.id) ?? {} }));
  return { monitors, devices: await measuredDevices(ctx, monitors, organizationId, now) };
}

async function uptimesOf(
  { store }: Reading,
  monitors: readonly MonitorGauge[],
  to: number,
): Promise<Map<number, Record<string, number | null>>> {
  const from = to - Math.max(...LENGTHS_MS);
  const named = new Map<number, Record<string, number | null>>();
  const groups = Map.groupBy(monitors, ({ organizationId, kind }) => `${organizationId} ${kind}`);
  for (const [first] of groups.values()) {
    if (!first) continue;
    const { organizationId, kind } = first;
    const which = { organizationId, kind, from, to, lengthsMs: LENGTHS_MS };
    for (const [id, uptimes] of await store.readInWorker(UPTIMES, which)) {
      named.set(id, Object.fromEntries(WINDOWS.map((name, at) => [name, uptimes[at] ?? null])));
    }
  }
  return named;
}

async function measuredDevices(
  ctx: Reading,
  monitors: readonly MonitorGauge[],
  organizationId: number | null,
  now: number,
): Promise<MeasuredDevice[]> {
  const devices = monitors.filter(({ kind }) => kind === "device");
  if (devices.length === 0) return [];
  const rows = await readDeviceGauges(ctx.store.db, organizationId);
  const byId = new Map(rows.map((row) => [row.id, row]));
  const read = reportReader();
  const giveWay = takeTurns();
  const measured: MeasuredDevice[] = [];
  for (const monitor of devices) {
    const row = byId.get(monitor.id);
    if (row) measured.push(measuredDevice(ctx, monitor, row, { now, read }));
    await giveWay();
  }
  return measured;
}

function measuredDevice(
  { log }: Reading,
  monitor: MonitorGauge,
  { intervalSeconds, reportedAt, health, latest, metrics }: DeviceGauge,
  { now, read }: { now: number; read: ReturnType<typeof reportReader> },
): MeasuredDevice {
  // By the server's own clock, even where a late sweep has not marked it offline yet.
  const isRecent = reportedAt !== null && now - reportedAt <= offlineAfterSeconds(intervalSeconds) * 1000;
  if (!isRecent) return { monitor, health: null, reportedAt, unresponsiveMounts: null, metrics: [] };
  const unresponsiveMounts = latest?.unresponsiveMounts?.length ?? null;
  const shown = { monitor, health, reportedAt, unresponsiveMounts };
  const usual = { "cpu.usage": latest?.cpu ?? null, "memory.usage": latest?.memory ?? null };
  const known = Object.entries(usual).flatMap(([name, value]) =>
    value === null ? [] : [[name, value] as const],
  );
  try {
    const { names, values } = metrics ? read(metrics) : { names: [], values: [] };
    const reported = names.map((name, at) => [name, values[at] as number] as const);
    // The newest report of a device with rare reports may be packed already.
    return { ...shown, metrics: reported.length > 0 ? reported : known };
  } catch (error) {
    log.warn({ err: error, monitor: monitor.id }, "what a device reported cannot be read");
    return { ...shown, metrics: known };
  }
}
