import { sql } from "kysely";
import { ownedMonitors, statusHistory } from "../../engine/queries/transitions.ts";
import { bucketStart } from "../../engine/results/precision.ts";
import {
  type ErrorBudget,
  errorBudget,
  type Objective,
  objectiveStart,
} from "../../engine/status/objective.ts";
import { type StatusChange, timeByStatus } from "../../engine/status/uptime.ts";
import { readAffectedServices } from "../../incidents/queries/affected-services.ts";
import { mostSevereFirst } from "../../incidents/queries/incidents.ts";
import type { HeavyRead } from "../../platform/database/reader.ts";
import type { Db } from "../../platform/database/schema.ts";
import { type MessageDescriptor, parseMessage } from "../../platform/i18n/message.ts";
import type { Impact, MonitorKind, Severity } from "../../platform/monitor-defaults.ts";
import { inSlices, takeTurns } from "../../platform/turns.ts";
import { type Outage, outagesOf } from "../outages.ts";
import { addStatusTime, planReport, type ReportPlan } from "../report-points.ts";
import { type CheckStats, type ReportSums, sumReportChecks } from "./report-sums.ts";

/** Times in milliseconds. */
export interface ReportedIncident {
  id: number;
  uuid: string;
  title: string;
  /** Null where a person wrote the title. */
  titleMessage: MessageDescriptor | null;
  severity: Severity;
  impact: Impact;
  status: string;
  automatic: boolean;
  startedAt: number;
  acknowledgedAt: number | null;
  resolvedAt: number | null;
  /** With the names of that time; the number of a monitor. */
  affected: { monitorId: number | null; name: string }[];
}

const ROWS_A_QUERY = 500;

interface Begun {
  organizationId: number;
  /** Begun at `from` or later, before `to`; milliseconds. */
  from: number;
  to: number;
}

/** Newest first, without merged ones. */
export async function readIncidentsBegun(db: Db, range: Begun): Promise<ReportedIncident[]> {
  const ids = await incidentsBegun(db, range)
    .select("id")
    .orderBy("started_at", "desc")
    .orderBy("id", "desc")
    .execute();
  const found: ReportedIncident[] = [];
  const giveWay = takeTurns();
  await inSlices(
    ids.map(({ id }) => id),
    ROWS_A_QUERY,
    async (some) => void found.push(...(await readSome(db, some))),
    giveWay,
  );
  return found;
}

/** Most severe first, then longest, with the total count. */
export async function readMostSevereBegun(
  db: Db,
  range: Begun,
  limit: number,
): Promise<{ incidents: ReportedIncident[]; count: number }> {
  const mostSevere = incidentsBegun(db, range).orderBy(sql.join(mostSevereFirst(range.to)));
  const ids = await mostSevere.select("id").limit(limit).execute();
  const { count } = await incidentsBegun(db, range)
    .select((select) => select.fn.countAll<number>().as("count"))
    .executeTakeFirstOrThrow();
  const incidents = await readSome(
    db,
    ids.map(({ id }) => id),
  );
  return { incidents, count: Number(count) };
}

const incidentsBegun = (db: Db, { organizationId, from, to }: Begun) =>
  db
    .selectFrom("incidents")
    .where("organization_id", "=", organizationId)
    .where("started_at", ">=", from)
    .where("started_at", "<", to)
    .where("merged_into", "is", null);

async function readSome(db: Db, ids: readonly number[]): Promise<ReportedIncident[]> {
  if (ids.length === 0) return [];
  const rows = await db
    .selectFrom("incidents")
    .select(["id", "uuid", "title", "title_message as titleMessage", "severity", "impact"])
    .select(["status", "automatic"])
    .select(["started_at as startedAt", "acknowledged_at as acknowledgedAt", "resolved_at as resolvedAt"])
    .where("id", "in", ids)
    .execute();
  const affected = await readAffectedServices(db, ids);
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.flatMap((id) => {
    const row = byId.get(id);
    if (!row) return [];
    const { titleMessage, automatic, ...rest } = row;
    const names = (affected.get(id) ?? []).map(({ monitorId, name }) => ({ monitorId, name }));
    return { ...rest, titleMessage: parseMessage(titleMessage), automatic: automatic === 1, affected: names };
  });
}

/** What a monitor has of its objective; null: it has none. */
interface ReportedBudget {
  objective: Objective | null;
  budget: ErrorBudget | null;
}

interface Aimed {
  id: number;
  percent: number;
  days: number;
}

/** At that time (milliseconds), over each objective's days, in their order. */
async function readBudgets(db: Db, monitors: readonly Aimed[], at: number): Promise<ReportedBudget[]> {
  const aimed = monitors.filter(({ percent }) => percent > 0);
  const from = Math.min(...aimed.map((one) => objectiveStart(one, at)), at);
  const ids = aimed.map(({ id }) => id);
  const histories = ids.length === 0 ? new Map() : await statusHistory(db, ids, from, at);
  return monitors.map(({ id, percent, days }) => {
    if (percent === 0) return { objective: null, budget: null };
    const objective = { percent, days };
    return { objective, budget: errorBudget(histories.get(id) ?? [], objective, at) };
  });
}

/** Between two times (milliseconds), compared with the period of that length before. */
interface MonitorReportQuery {
  organizationId: number;
  kind: MonitorKind;
  from: number;
  to: number;
  /** The oldest retained hourly roll-ups. */
  hoursFrom: number;
  /** The caller's form of the period: equal requests at nearly the same time may share an answer. */
  requested: string;
}

/** Of one monitor or of several together. */
export interface PeriodStats extends CheckStats {
  upMs: number;
  downMs: number;
  outages: number;
  /** 0: none. */
  longestOutageMs: number;
}

/** With the requested period and the one before. */
export interface ReportedMonitor extends ReportedBudget {
  id: number;
  uuid: string;
  name: string;
  type: string;
  /** As typed. */
  displayTarget: string;
  stats: PeriodStats;
  previous: PeriodStats;
}

/** All monitors together, from `at` (milliseconds), which may precede the report. */
export type ReportPoint = CheckStats & { at: number; upMs: number; downMs: number };

export interface MonitorReport {
  from: number;
  to: number;
  previousFrom: number;
  stepMs: number;
  monitors: ReportedMonitor[];
  points: ReportPoint[];
  /** Of all monitors, longest first. */
  outages: (Outage & { monitorId: number })[];
  /** Of all monitors. */
  checks: CheckStats;
  previousChecks: CheckStats;
}

/** Limits memory for large organizations. */
const MONITORS_AT_ONCE = 500;
const MAX_OUTAGES = 100;

/** Milliseconds and microseconds; nothing is rounded. */
async function readMonitorReport(db: Db, query: MonitorReportQuery): Promise<MonitorReport> {
  const { from, to, hoursFrom } = query;
  const previousFrom = from - (to - from);
  // The hour of `from` belongs to the report, not to the period before.
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
        stats: stats[i] as PeriodStats,
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

interface Period {
  from: number;
  to: number;
  plan: ReportPlan;
  checks: ReportSums;
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

/** A roll-up's row is read in about a fifth of the time of a list's value. */
const DAYS_AS_ONE = 5;

export const MONITOR_REPORT: HeavyRead<MonitorReportQuery, MonitorReport> = {
  name: "report of monitors",
  read: readMonitorReport,
  weightOf: ({ from, to }) => 1 + (to - from) / 86_400_000 / DAYS_AS_ONE,
};
