import { type SqlBool, sql } from "kysely";
import { type HotTable, type Tuple, writeTuples } from "../../platform/database/bulk.ts";
import type { Db } from "../../platform/database/schema.ts";
import { among, isPostgres, lockRows } from "../../platform/database/sql.ts";
import type { MonitorTable } from "../../platform/database/tables/monitors.ts";
import type { MonitorKind } from "../../platform/monitor-defaults.ts";
import { AGENT_TYPE, HEARTBEAT_TYPE, SIGNALLED_TYPES } from "../../platform/signalled-types.ts";
import { decodeState, encodeState } from "../status/encode-state.ts";
import type { Parent } from "../status/held-by-parents.ts";
import { dueAt, type RunSettings } from "../status/late-signals.ts";
import { consecutiveFailures, staleAt } from "../status/rules.ts";
import type { MonitorState, StatusConfig } from "../status/state.ts";

/** A monitor's state with the settings that decide about it. */
export interface WatchedMonitor {
  monitorId: number;
  uuid: string;
  kind: MonitorTable["kind"];
  organizationId: number;
  name: string;
  severity: MonitorTable["severity"];
  /** JSON array. */
  tags: string;
  /** Of its settings. */
  revision: number;
  config: StatusConfig;
  state: MonitorState;
  last: LastCheck;
  /** Until when the maintenance window lasts that it is in; null: it is in none. */
  maintenanceUntil: number | null;
  /** When a report is due, of a monitor that receives reports; else null. */
  runs: RunSettings | null;
  /** Until when a run that has started may take; null: none is under way, or only such as are late. */
  runningUntil: number | null;
}

/** What is stored of one, beside what is in its settings. */
type StoredState = Pick<
  WatchedMonitor,
  "monitorId" | "config" | "state" | "last" | "runs" | "maintenanceUntil"
>;

/** The newest check that reached a verdict. Milliseconds and microseconds; `result` is JSON. */
export interface LastCheck {
  at: number | null;
  outcome: number | null;
  statusCode: number | null;
  totalUs: number | null;
  result: string | null;
}

/**
 * The states of these monitors, locked in the order of their ids until the transaction ends, so
 * that two replicas with results of one monitor take turns. Unknown and deleted ones are not there. Locked first and
 * read then: of a row that it waited for PostgreSQL gives the newest version, but joins that of the statement's start.
 */
export async function lockStates(trx: Db, monitorIds: readonly number[]): Promise<WatchedMonitor[]> {
  if (isPostgres(trx)) {
    const states = trx.selectFrom("monitor_states").select("monitor_id").orderBy("monitor_id");
    await states
      .where(among(trx, "monitor_id", monitorIds))
      .forUpdate()
      .execute();
  }
  const query = watched(trx).where(among(trx, "monitor_states.monitor_id", monitorIds));
  const rows = await query.execute();
  return rows.map(fromRow);
}

/**
 * Claims up to `limit` monitors whose newest vote has run out, oldest first. A replica that is
 * working on some leaves the others to this one. `watchingSince`: when this process began to
 * collect results; what ran out before gets its full time again, because no server was receiving.
 * `graceMs`: what ran out less than this ago is left alone. `exceptTypes`: of checks whose silence says something else.
 */
export async function claimStale(
  trx: Db,
  {
    now,
    limit,
    watchingSince,
    graceMs,
    exceptTypes,
  }: Record<"now" | "limit" | "watchingSince" | "graceMs", number> & { exceptTypes: readonly string[] },
): Promise<WatchedMonitor[]> {
  const hadTimeToReport = sql<SqlBool>`2000 * cast(monitors.interval_seconds as bigint)
    + 1000 * monitors.timeout_seconds <= cast(${now - watchingSince} as bigint)`;
  const due = watched(trx)
    .where("monitor_states.stale_at", "<=", now - graceMs)
    .where("monitors.type", "not in", exceptTypes)
    .where((where) => where.or([where("stale_at", ">", watchingSince), hadTimeToReport]))
    .clearOrderBy()
    .orderBy("stale_at")
    .limit(limit);
  const rows = await (isPostgres(trx) ? due.forUpdate("monitor_states").skipLocked() : due).execute();
  return rows.map(fromRow);
}

/**
 * The numbers of monitors whose time is over at `now` (dueAt, staleAt), by number. A query of its own: few are due, of
 * many, and joined with their settings the planners begin with those.
 */
export async function listDue(db: Db, now: number): Promise<number[]> {
  const due = db.selectFrom("monitor_states").select("monitor_id").where("stale_at", "<=", now);
  return (await due.execute()).map((row) => row.monitor_id).sort((a, b) => a - b);
}

/** Of these monitors those that receive reports, and are watched. */
export async function readWatchedMonitors(db: Db, ids: readonly number[]): Promise<WatchedMonitor[]> {
  const rows = await watched(db)
    .where(among(db, "monitor_states.monitor_id", ids))
    .where("monitors.type", "in", SIGNALLED_TYPES)
    .where("monitors.enabled", "=", 1)
    .execute();
  return rows.map(fromRow);
}

/** Monitors that are not deleted and whose state or last check is dated later than `after` (milliseconds), by id from `afterId` on. */
export async function listStatesAfter(
  db: Db,
  { after, afterId, limit }: Record<"after" | "afterId" | "limit", number>,
): Promise<number[]> {
  const rows = await db
    .selectFrom("monitor_states")
    .innerJoin("monitors", "monitors.id", "monitor_states.monitor_id")
    .select("monitor_id")
    .where("monitors.deleted_at", "is", null)
    .where((where) => where.or([where("status_since", ">", after), where("last_check_at", ">", after)]))
    .where("monitor_id", ">", afterId)
    .orderBy("monitor_id")
    .limit(limit)
    .execute();
  return rows.map((row) => row.monitor_id);
}

const STATES: HotTable = {
  name: "monitor_states",
  columns: {
    monitor_id: "bigint",
    status: "text",
    status_since: "bigint",
    rules: "text",
    flapping: "integer",
    last_check_at: "bigint",
    last_outcome: "integer",
    last_status_code: "integer",
    last_total_us: "bigint",
    last_result: "text",
    consecutive_failures: "integer",
    stale_at: "bigint",
    maintenance_until: "bigint",
    suppressed_by: "bigint",
    suppressed_until: "bigint",
  },
  keys: ["monitor_id"],
};
const ALL_BUT_KEY = Object.keys(STATES.columns).filter((column) => column !== "monitor_id");

/** Replaces the states of these monitors, all in one statement. */
export async function saveStates(trx: Db, monitors: readonly StoredState[]): Promise<void> {
  await writeTuples(trx, STATES, monitors.map(toTuple), ALL_BUT_KEY);
}

const watched = (db: Db) =>
  db
    .selectFrom("monitor_states")
    .innerJoin("monitors", "monitors.id", "monitor_states.monitor_id")
    .select([
      "monitor_states.monitor_id",
      "monitors.uuid",
      "monitors.kind",
      "monitors.organization_id",
      "monitors.name",
      "monitors.severity",
      "monitors.tags",
      "monitors.revision",
      "monitors.interval_seconds",
      "monitors.timeout_seconds",
      "monitors.confirmations",
      "monitors.recoveries",
      "rules",
      "last_check_at",
      "last_outcome",
      "last_status_code",
      "last_total_us",
      "last_result",
      "maintenance_until",
    ])
    .select([
      sql<string | null>`case monitors.type when ${sql.lit(HEARTBEAT_TYPE)} then monitors.config
        when ${sql.lit(AGENT_TYPE)} then '{}' end`.as("runs"),
      sql<number | null>`case when monitors.type = ${sql.lit(HEARTBEAT_TYPE)} then (
        select max(late_at) from heartbeat_runs where heartbeat_runs.monitor_id = monitors.id) end`.as(
        "running_until",
      ),
    ])
    .where("monitors.deleted_at", "is", null)
    .orderBy("monitor_states.monitor_id");

type Row = Awaited<ReturnType<ReturnType<typeof watched>["execute"]>>[number];

function fromRow(row: Row): WatchedMonitor {
  return {
    monitorId: row.monitor_id,
    uuid: row.uuid,
    kind: row.kind,
    organizationId: row.organization_id,
    name: row.name,
    severity: row.severity,
    tags: row.tags,
    revision: row.revision,
    config: {
      intervalMs: row.interval_seconds * 1000,
      timeoutMs: row.timeout_seconds * 1000,
      confirmations: row.confirmations,
      recoveries: row.recoveries,
      maintenance: row.maintenance_until !== null,
    },
    state: decodeState(row.rules),
    last: {
      at: row.last_check_at,
      outcome: row.last_outcome,
      statusCode: row.last_status_code,
      totalUs: row.last_total_us,
      result: row.last_result,
    },
    maintenanceUntil: row.maintenance_until,
    runs: row.runs === null ? null : (JSON.parse(row.runs) as RunSettings),
    runningUntil: row.running_until,
  };
}

const toTuple = ({ monitorId, config, state, last, runs, maintenanceUntil }: StoredState): Tuple => [
  monitorId,
  state.status,
  state.since,
  encodeState(state),
  state.flapping ? 1 : 0,
  last.at,
  last.outcome,
  last.statusCode,
  last.totalUs,
  last.result,
  consecutiveFailures(state),
  runs === null ? staleAt(state, config) : dueAt({ runs, config, state, last }),
  maintenanceUntil,
  state.suppressed?.by ?? null,
  state.suppressed?.until ?? null,
];

export interface OwnMonitor {
  id: number;
  kind: MonitorKind;
}

/** An organization's monitors that are watched, or those that are not until it stays; locked in the order of their ids. */
export async function lockOwnMonitors(
  trx: Db,
  organizationId: number,
  which: "watched" | "suspended",
): Promise<OwnMonitor[]> {
  const own = trx
    .selectFrom("monitors")
    .select(["id", "kind"])
    .where("organization_id", "=", organizationId)
    .where("deleted_at", "is", null)
    .where(which === "watched" ? "enabled" : "suspended", "=", 1)
    .orderBy("id");
  return lockRows(trx, own).execute();
}

/** Notes which are watched again if their organization stays. */
export async function setSuspended(trx: Db, ids: readonly number[], suspended: boolean): Promise<void> {
  await trx
    .updateTable("monitors")
    .set({ suspended: suspended ? 1 : 0 })
    .where(among(trx, "id", ids))
    .execute();
}

/** The latest scheduled time among the last checks of all monitors, milliseconds; null before the first check. */
export async function newestCheckAt(db: Db): Promise<number | null> {
  const row = await db
    .selectFrom("monitor_states")
    .select((e) => e.fn.max("last_check_at").as("at"))
    .executeTakeFirstOrThrow();
  return row.at;
}

/** First half of the lock's number: what of an organization it is for. */
const GROUPING = 36;

/**
 * Outages of an organization open incidents one transaction after the other, or two would each open one of their own.
 * Comes after the states and before the first incident.
 */
export async function lockGrouping(trx: Db, organizationIds: Iterable<number>): Promise<void> {
  if (!isPostgres(trx)) return;
  for (const id of [...new Set(organizationIds)].sort((a, b) => a - b)) {
    await sql`select pg_advisory_xact_lock(${sql.lit(GROUPING)}, ${id})`.execute(trx);
  }
}

/** Of these monitors those that depend on others. */
export async function dependingAmong(db: Db, ids: readonly number[]): Promise<number[]> {
  if (ids.length === 0) return [];
  const rows = await db
    .selectFrom("monitor_parents")
    .select("monitor_id as id")
    .distinct()
    .where(among(db, "monitor_id", ids))
    .execute();
  return rows.map(({ id }) => id);
}

/** What each of these depends on, as far as it is watched. */
export async function readParents(db: Db, ids: readonly number[]): Promise<ReadonlyMap<number, Parent[]>> {
  const rows = await watchedParents(db)
    .select(["monitor_parents.monitor_id as child", "monitors.id", "monitors.name", "monitor_states.rules"])
    .select("monitors.severity")
    .select(["interval_seconds", "timeout_seconds", "recheck_delay_seconds"])
    .where(among(db, "monitor_parents.monitor_id", ids))
    .orderBy("monitors.id")
    .execute();
  const parents = rows.map(({ child, id, name, severity, rules, ...row }) => ({
    ...{ child, id, name, severity, state: decodeState(rules), intervalMs: row.interval_seconds * 1000 },
    ...{ timeoutMs: row.timeout_seconds * 1000, recheckDelayMs: row.recheck_delay_seconds * 1000 },
  }));
  return Map.groupBy(parents, ({ child }) => child);
}

const watchedParents = (db: Db) =>
  db
    .selectFrom("monitor_parents")
    .innerJoin("monitors", "monitors.id", "monitor_parents.parent_id")
    .innerJoin("monitor_states", "monitor_states.monitor_id", "monitor_parents.parent_id")
    .where("monitors.deleted_at", "is", null)
    .where("monitors.enabled", "=", 1);
