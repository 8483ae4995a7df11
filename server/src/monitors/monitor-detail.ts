import { readRollups } from "../engine/queries/rollups.ts";
import { statusHistory, uptimeByMonitor } from "../engine/queries/transitions.ts";
import { resolveRange } from "../engine/results/precision.ts";
import {
  BURN_RULES,
  type BurnLevel,
  burnRate,
  type ErrorBudget,
  errorBudget,
  objectiveStart,
  spansOf,
} from "../engine/status/objective.ts";
import { timeByStatus, uptimePercentage } from "../engine/status/uptime.ts";
import type { Caller } from "../platform/access/caller.ts";
import { isPermitted } from "../platform/access/check-access.ts";
import { notFound } from "../platform/errors.ts";
import { MONITOR_KIND_TRAITS } from "../platform/monitor-kinds.ts";
import type { Running } from "../platform/operations/operation.ts";
import { openSettings, requireCheckKind } from "./check-rules.ts";
import { type HeartbeatState, readHeartbeatState } from "./miss-signals.ts";
import { type ShownMonitor, STATS_WINDOW_MS } from "./monitor.ts";
import type { ListedMonitor } from "./queries/listed-monitors.ts";
import {
  findListedMonitor,
  type LastResult,
  readLastResult,
  readObjectiveAlert,
} from "./queries/monitor-list.ts";
import type { Monitor } from "./queries/monitors.ts";
import type { MonitorSettings } from "./settings.ts";
import { shownConfig } from "./stored-secrets.ts";

/** A monitor with its settings and its last result, without the credentials that its reader must not see. */
export interface MonitorDetail extends ShownMonitor {
  settings: MonitorSettings;
  lastResult: LastResult;
  /** Of a monitor that receives signals, else null. */
  heartbeat: HeartbeatState | null;
}

/** One monitor in full. Throws 404 if it has been deleted since it was found. */
export async function readMonitorDetail(
  { caller, db, clock, secrets }: Pick<Running, "caller" | "db" | "clock" | "secrets">,
  monitor: Monitor,
): Promise<MonitorDetail> {
  const now = clock.now();
  const { id, organizationId, kind } = monitor;
  const listed = await findListedMonitor(db, { organizationId, kind, ref: { id } });
  if (!listed) throw notFound();
  const uptimes = await uptimeByMonitor(db, [id], now - STATS_WINDOW_MS, now);
  const settings = openSettings(secrets, monitor);
  const { configSchema } = requireCheckKind(settings.type);
  return {
    ...listed,
    uptimePercentage: uptimes.get(id) ?? null,
    settings: {
      ...settings,
      config: shownConfig(configSchema, settings.config, mayChangeKind(caller, kind)),
    },
    lastResult: await readLastResult(db, id),
    heartbeat: await readHeartbeatState(db, listed),
  };
}

/** Whether the caller may change monitors of that kind, and so sees what only changers see. */
export const mayChangeKind = (caller: Caller, kind: Monitor["kind"]): boolean =>
  isPermitted(caller, { action: "write", resource: MONITOR_KIND_TRAITS[kind].resource, features: [] });

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

/** How fast the last `spanMs` went through the budget. Milliseconds. */
interface MonitorBurn {
  spanMs: number;
  rate: number;
  /** The burn rate from which a notification is sent, if the last twelfth of the span was as fast. */
  limit: number;
  level: BurnLevel;
}

/** A monitor's state against its objective. */
export interface MonitorObjective {
  /** Percent; 0: it has none, and everything else is null. */
  objective: number;
  days: number;
  budget: ErrorBudget | null;
  burns: MonitorBurn[];
  /** The alert that was sent and has not ended. Milliseconds. */
  alert: { level: BurnLevel; since: number } | null;
}

/** A monitor's error budget now, how fast it is used up, and whether an alert was sent. */
export async function monitorObjective(
  { db, clock }: Running,
  { id, objective: percent, objectiveDays: days }: Pick<Monitor, "id" | "objective" | "objectiveDays">,
): Promise<MonitorObjective> {
  if (percent === 0) return { objective: 0, days, budget: null, burns: [], alert: null };
  const objective = { percent, days };
  const now = clock.now();
  const history = (await statusHistory(db, [id], objectiveStart(objective, now), now)).get(id) ?? [];
  const alert = await readObjectiveAlert(db, id);
  return {
    objective: percent,
    days,
    budget: errorBudget(history, objective, now),
    burns: BURN_RULES.map((rule) => {
      const { longMs: spanMs } = spansOf(rule, objective);
      const rate = burnRate(history, objective, { now, spanMs });
      return { spanMs, rate, limit: rule.rate, level: rule.level };
    }),
    alert:
      alert === null || alert.state === "quiet"
        ? null
        : { level: alert.state === "slow" ? "slow" : "fast", since: alert.since },
  };
}
