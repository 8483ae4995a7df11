import type { MonitorKind } from "../../monitor/monitor-defaults.ts";
import { type Outage, outagesOf } from "../../report/outages.ts";
import { addStatusTime, planReport, type ReportPlan } from "../../report/report-points.ts";
import { bucketStart } from "../../result/range.ts";
import { type StatusChange, timeByStatus } from "../../status/uptime.ts";
import type { Db } from "../db.ts";
import { type ReportedBudget, readBudgets } from "./incident-report.ts";
import { ownedMonitors } from "./monitor-filter.ts";
import { type CheckStats, type CheckSums, sumReportChecks } from "./report-checks.ts";
import { statusHistory } from "./transitions.ts";

/** The monitors of a kind between two times (milliseconds), and in the time of that length before. */
export interface MonitorReportQuery {
  organizationId: number;
  kind: MonitorKind;
  from: number;
  to: number;
  /** From when on there are roll-ups of hours. */
  hoursFrom: number;
  /** How the caller asked for the time: who asks in the same way at nearly the same time may share an answer. */
  requested: string;
}

/** What a stretch of time came to, of one monitor or of several together. */
export interface PeriodStats extends CheckStats {
  upMs: number;
  downMs: number;
  outages: number;
  /** 0: there was none. */
  longestOutageMs: number;
}

/** A monitor with what the time asked about came to, and the time before it. */
export interface ReportedMonitor extends ReportedBudget {
  id: number;
  uuid: string;
  name: string;
  /** Of its check. */
  type: string;
  /** As typed. */
  displayTarget: string;
  figures: PeriodStats;
  previous: PeriodStats;
}

/** All monitors together, from `at` on (milliseconds), which may be before the report begins. */
export type ReportPoint = CheckStats & { at: number; upMs: number; downMs: number };

export interface MonitorReport {
  from: number;
  to: number;
  previousFrom: number;
  /** The length of a point. */
  stepMs: number;
  /** By name. */
  monitors: ReportedMonitor[];
  points: ReportPoint[];
  /** The longest outages of all monitors, the longest first. */
  outages: (Outage & { monitorId: number })[];
  /** All checks together. */
  checks: CheckStats;
  previousChecks: CheckStats;
}

/** What is read at once, so that memory does not grow with an organization. */
const MONITORS_AT_ONCE = 500;
const MAX_OUTAGES = 100;

/** What an organization's monitors of a kind did. Milliseconds and microseconds; nothing is rounded. */
export async function readMonitorReport(db: Db, query: MonitorReportQuery): Promise<MonitorReport> {
  const { from, to, hoursFrom } = query;
  const previousFrom = from - (to - from);
  // The hour that `from` lies in belongs to the report, and not to what was before.
  const before = { from: previousFrom, to: bucketStart(from, 3600), hoursFrom };
  const now = makePeriod({ from, to }, planReport({ from, to, hoursFrom }));
  const past = makePeriod({ from: previousFrom, to: from }, planReport(before));
  const monitors: ReportedMonitor[] = [];
  const named = await listNamed(db, query);
  for (let first = 0; first < named.length; first += MONITORS_AT_ONCE) {
    const some = named.slice(first, first + MONITORS_AT_ONCE);
    const stats = await readPeriod(db, now, some);
    const previous = await readPeriod(db, past, some);
    const budgets = await readBudgets(db, some, to);
    for (const [i, { percent: _, days: __, ...monitor }] of some.entries()) {
      monitors.push({
        ...monitor,
        ...(budgets[i] as ReportedBudget),
        figures: stats[i] as PeriodStats,
        previous: previous[i] as PeriodStats,
      });
    }
  }
  return {
    ...{ from, to, previousFrom, stepMs: now.plan.stepMs, monitors },
    points: pointsOf(now),
    outages: now.outages,
    checks: now.checks.total(),
    previousChecks: past.checks.total(),
  };
}

const listNamed = (db: Db, { organizationId, kind }: MonitorReportQuery) =>
  ownedMonitors(db, { organizationId, kind })
    .select(["monitors.id", "monitors.uuid", "monitors.name", "monitors.type"])
    .select("monitors.display_target as displayTarget")
    .select(["monitors.objective as percent", "monitors.objective_days as days"])
    .orderBy("monitors.id")
    .execute();

/** A stretch of time, and what all monitors that have been read come to in it. */
interface Period {
  from: number;
  to: number;
  plan: ReportPlan;
  checks: CheckSums;
  time: { upMs: Float64Array; downMs: Float64Array };
  outages: MonitorReport["outages"];
}

function makePeriod(span: { from: number; to: number }, plan: ReportPlan): Period {
  const { length } = plan.points;
  const time = { upMs: new Float64Array(length), downMs: new Float64Array(length) };
  return { ...span, plan, time, outages: [], checks: sumReportChecks(plan, MONITORS_AT_ONCE) };
}

async function readPeriod(
  db: Db,
  period: Period,
  monitors: readonly { id: number }[],
): Promise<PeriodStats[]> {
  const ids = monitors.map(({ id }) => id);
  const { from, to } = period;
  const checks = await period.checks.read(db, ids);
  const histories = await statusHistory(db, ids, from, to);
  return ids.map((id, i) => ({
    ...(checks[i] as CheckStats),
    ...addHistory(period, id, histories.get(id) ?? []),
  }));
}

function addHistory(period: Period, monitorId: number, history: readonly StatusChange[]) {
  const { from, to } = period;
  const { upMs, downMs } = timeByStatus(history, from, to);
  const outages = outagesOf(history, from, to);
  addStatusTime(period.plan, history, period.time);
  if (outages.length > 0) {
    const known = [...period.outages, ...outages.map((outage) => ({ ...outage, monitorId }))];
    known.sort((a, b) => b.downMs - a.downMs || a.startedAt - b.startedAt);
    period.outages = known.slice(0, MAX_OUTAGES);
  }
  const longestOutageMs = outages.reduce((most, outage) => Math.max(most, outage.downMs), 0);
  return { upMs, downMs, outages: outages.length, longestOutageMs };
}

function pointsOf({ plan, checks, time }: Period): ReportPoint[] {
  return checks.points().map((stats, point) => ({
    ...stats,
    at: plan.points[point] as number,
    upMs: time.upMs[point] as number,
    downMs: time.downMs[point] as number,
  }));
}
