import { type SqlBool, sql } from "kysely";
import { decodeState, encodeState } from "../../status/encode-state.ts";
import { consecutiveFailures, staleAt } from "../../status/rules.ts";
import type { MonitorState, StatusConfig } from "../../status/state.ts";
import { insertMany } from "../bulk.ts";
import { idIn, isPostgres } from "../dialect.ts";
import type { Db } from "../open.ts";
import type { MonitorStateTable, MonitorTable } from "../schema.ts";

/** A monitor's state with the settings that decide about it. */
export interface WatchedMonitor {
  monitorId: number;
  uuid: string;
  kind: MonitorTable["kind"];
  organizationId: number;
  name: string;
  severity: MonitorTable["severity"];
  config: StatusConfig;
  state: MonitorState;
  last: LastCheck;
}

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
 * that two replicas with results of one monitor take turns. Unknown and deleted ones are not there.
 */
export async function lockStates(trx: Db, monitorIds: readonly number[]): Promise<WatchedMonitor[]> {
  const query = watched(trx).where(idIn("monitor_states.monitor_id", monitorIds));
  const rows = await (isPostgres(trx) ? query.forUpdate("monitor_states") : query).execute();
  return rows.map(fromRow);
}

/**
 * Claims up to `limit` monitors whose newest vote has run out, oldest first. A replica that is
 * working on some leaves the others to this one. `watchingSince`: when this process began to
 * collect results; what ran out before gets its full time again, because nobody was listening.
 * `graceMs`: what ran out less than this ago is left alone.
 */
export async function claimStale(
  trx: Db,
  { now, limit, watchingSince, graceMs }: Record<"now" | "limit" | "watchingSince" | "graceMs", number>,
): Promise<WatchedMonitor[]> {
  const heardEnough = sql<SqlBool>`2000 * monitors.interval_seconds + 1000 * monitors.timeout_seconds
    <= cast(${now - watchingSince} as bigint)`;
  const due = watched(trx)
    .where("monitor_states.stale_at", "<=", now - graceMs)
    .where((where) => where.or([where("stale_at", ">", watchingSince), heardEnough]))
    .clearOrderBy()
    .orderBy("stale_at")
    .limit(limit);
  const rows = await (isPostgres(trx) ? due.forUpdate("monitor_states").skipLocked() : due).execute();
  return rows.map(fromRow);
}

/** Replaces the states of these monitors, all in one statement. */
export async function saveStates(
  trx: Db,
  monitors: readonly Pick<WatchedMonitor, "monitorId" | "config" | "state" | "last">[],
): Promise<void> {
  const rows = monitors.map(toRow);
  const update = Object.keys(rows[0] ?? {}).filter((column) => column !== "monitor_id");
  await insertMany(trx, "monitor_states", rows, { keys: ["monitor_id"], update });
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
    config: {
      intervalMs: row.interval_seconds * 1000,
      timeoutMs: row.timeout_seconds * 1000,
      confirmations: row.confirmations,
      recoveries: row.recoveries,
      // Windows are planned in maintenance/; until one can be, none runs.
      maintenance: false,
    },
    state: decodeState(row.rules),
    last: {
      at: row.last_check_at,
      outcome: row.last_outcome,
      statusCode: row.last_status_code,
      totalUs: row.last_total_us,
      result: row.last_result,
    },
  };
}

function toRow({
  monitorId,
  config,
  state,
  last,
}: Pick<WatchedMonitor, "monitorId" | "config" | "state" | "last">): MonitorStateTable {
  return {
    monitor_id: monitorId,
    status: state.status,
    status_since: state.since,
    rules: encodeState(state),
    flapping: state.flapping ? 1 : 0,
    last_check_at: last.at,
    last_outcome: last.outcome,
    last_status_code: last.statusCode,
    last_total_us: last.totalUs,
    last_result: last.result,
    consecutive_failures: consecutiveFailures(state),
    stale_at: staleAt(state, config),
  };
}
