import { bucketStart } from "../result/range.ts";
import type { Status } from "../status/state.ts";
import { type StatusChange, uptimePercentage, worstStatus } from "../status/uptime.ts";
import { listPicturedMonitors, type PicturedMonitor } from "../store/queries/activity.ts";
import type { Ref } from "../store/queries/ref.ts";
import { type Latencies, readLatencies, statusHistory } from "../store/queries/transitions.ts";
import type { Running } from "../verb/verb.ts";
import { isIconDue } from "./find-icon.ts";
import type { OfKind } from "./monitor.ts";

const HOUR_SECONDS = 3_600;
const HOUR_MS = HOUR_SECONDS * 1000;
const HOURS = 24;

/** One hour, UTC, of a monitor; the present one ends now. */
export interface MonitorHour {
  /** The hour's start, milliseconds. */
  at: number;
  /** The worst confirmed one; `unknown` where nothing was known. */
  status: Status;
  /** Time-weighted, 0…100; null where nothing was known. */
  uptime: number | null;
  /** Mean of the passed checks, microseconds; null without any. */
  averageUs: number | null;
}

/** What the row of a list draws of a monitor: 24 hours, oldest first. */
export interface MonitorSparkline extends PicturedMonitor {
  /** Its icon is to be looked for: none was yet, or long ago. */
  iconDue: boolean;
  hours: MonitorHour[];
}

/**
 * The last 24 hours of some of the organization's monitors of a kind, in the order of their ids, in three queries however
 * many they are; those that are unknown are left out.
 */
export async function listSparklines(
  ctx: Running,
  { kind, refs }: OfKind & { refs: readonly Ref[] },
): Promise<MonitorSparkline[]> {
  const { db } = ctx;
  const monitors = await listPicturedMonitors(db, {
    organizationId: ctx.caller.organizationId,
    kind,
    refs,
  });
  if (monitors.length === 0) return [];
  const now = ctx.clock.now();
  const from = bucketStart(now, HOUR_SECONDS) - (HOURS - 1) * HOUR_MS;
  const monitorIds = monitors.map(({ id }) => id);
  const histories = await statusHistory(db, monitorIds, from, now);
  const latencies = await readLatencies(db, { monitorIds, from, to: now + 1, periodSeconds: HOUR_SECONDS });
  return monitors.map((monitor, row) => {
    const history = histories.get(monitor.id) ?? [];
    const iconDue = isIconDue(monitor.icon, now);
    return { ...monitor, iconDue, hours: hoursOf(history, latencies, { row, now }) };
  });
}

function hoursOf(
  history: readonly StatusChange[],
  { bucketsAt, timed, sumUs }: Latencies,
  { row, now }: { row: number; now: number },
): MonitorHour[] {
  return bucketsAt.map((at, column) => {
    const until = Math.min(at + HOUR_MS, now);
    const cell = row * bucketsAt.length + column;
    const checks = timed[cell] ?? 0;
    return {
      at,
      status: worstStatus(history, at, until),
      uptime: uptimePercentage(history, at, until),
      averageUs: checks > 0 ? (sumUs[cell] ?? 0) / checks : null,
    };
  });
}
