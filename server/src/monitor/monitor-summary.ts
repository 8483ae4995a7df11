import { notFound } from "../errors.ts";
import { resolveRange } from "../result/range.ts";
import { timeByStatus, uptimePercentage } from "../status/uptime.ts";
import type { ListedMonitor } from "../store/queries/listed-monitor.ts";
import { findListedMonitor } from "../store/queries/monitor-list.ts";
import type { Monitor } from "../store/queries/monitors.ts";
import { readRollups } from "../store/queries/rollups.ts";
import { statusHistory } from "../store/queries/transitions.ts";
import type { Running } from "../verb/verb.ts";

const DAY_MS = 86_400_000;

export interface MonitorSummary {
  monitor: ListedMonitor;
  /** Time-weighted, 0…100; null while nothing is known. */
  uptime24h: number | null;
  uptime7d: number | null;
  uptime30d: number | null;
  /** How long the status was known in these: up or down, outside maintenance. */
  known24hMs: number;
  known7dMs: number;
  known30dMs: number;
  /** Of the passed checks of the last 30 days, microseconds; null without any. */
  averageUs: number | null;
  /** Checks that reached a verdict in the last 30 days, and those of them that failed. */
  totalChecks: number;
  failedChecks: number;
}

/** A monitor's summary. Throws 404. */
export async function monitorSummary(
  { db, clock }: Running,
  { id, organizationId, kind }: Monitor,
): Promise<MonitorSummary> {
  const now = clock.now();
  const monitor = await findListedMonitor(db, { organizationId, kind, ref: { id } });
  if (!monitor) throw notFound();
  const { fromMs, toMs, periodSeconds } = resolveRange("30d", now);
  const history = (await statusHistory(db, [id], now - 30 * DAY_MS, now)).get(id) ?? [];
  const uptime = (days: number) => uptimePercentage(history, now - days * DAY_MS, now);
  const knownMs = (days: number) =>
    days * DAY_MS - timeByStatus(history, now - days * DAY_MS, now).excludedMs;
  const [sums] = await readRollups(db, {
    monitorIds: [id],
    from: fromMs,
    to: toMs + 1,
    periodSeconds,
    groupBy: "monitor",
  });
  return {
    monitor,
    uptime24h: uptime(1),
    uptime7d: uptime(7),
    uptime30d: uptime(30),
    known24hMs: knownMs(1),
    known7dMs: knownMs(7),
    known30dMs: knownMs(30),
    averageUs: sums && sums.timed > 0 ? sums.sumUs / sums.timed : null,
    totalChecks: sums?.checks ?? 0,
    failedChecks: sums?.failures ?? 0,
  };
}
