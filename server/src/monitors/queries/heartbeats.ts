import type { Db } from "../../platform/database/schema.ts";
import type { HeartbeatSignal } from "../../platform/signalled-types.ts";

/** Runs of one job at the same time: what has not ended then is not waited for. */
const MAX_RUNS = 100;
/** The newest that are stored of one monitor, on any plan. */
const MAX_SIGNALS = 1_000;

/** A run that has started and not ended. Milliseconds; `lateAt` null: it is not waited for. */
export interface OpenRun {
  run: string;
  startedAt: number;
  lateAt: number | null;
}

/** What a job sent besides that it has run. `message` is encrypted. */
export interface HeartbeatEntry {
  signalledAt: number;
  signal: HeartbeatSignal;
  exitCode: number | null;
  run: string;
  message: string | null;
  isCut: boolean;
}

/** Notes that a run has started; one of the same name that had not ended is given up. The caller holds the monitor's state. */
export async function startRun(
  trx: Db,
  monitorId: number,
  { run, startedAt, lateAt }: OpenRun,
): Promise<void> {
  const times = { started_at: startedAt, late_at: lateAt };
  await trx
    .insertInto("heartbeat_runs")
    .values({ monitor_id: monitorId, run, ...times })
    .onConflict((conflict) => conflict.columns(["monitor_id", "run"]).doUpdateSet(times))
    .execute();
  const tooMany = trx
    .selectFrom("heartbeat_runs")
    .select("run")
    .where("monitor_id", "=", monitorId)
    .orderBy("started_at", "desc")
    .limit(1_000)
    .offset(MAX_RUNS);
  await trx
    .deleteFrom("heartbeat_runs")
    .where("monitor_id", "=", monitorId)
    .where("run", "in", tooMany)
    .execute();
}

/**
 * The run of that name has ended: when it had started, null where that is not known. An end without a name (`run` empty) is that
 * of the run without one, else of the run that started last: there are jobs that name a run at its start only. An end whose
 * name no run has is that of the run without one, for jobs that name it at its end only.
 */
export async function endRun(trx: Db, monitorId: number, run: string): Promise<number | null> {
  const ofMonitor = trx.selectFrom("heartbeat_runs").where("monitor_id", "=", monitorId);
  const ended = await (run === "" ? ofMonitor : ofMonitor.where("run", "in", [run, ""]))
    .select(["run", "started_at"])
    .orderBy((eb) => eb.case().when("run", "=", run).then(0).else(1).end())
    .orderBy("started_at", "desc")
    .limit(1)
    .executeTakeFirst();
  if (!ended) return null;
  await trx
    .deleteFrom("heartbeat_runs")
    .where("monitor_id", "=", monitorId)
    .where("run", "=", ended.run)
    .execute();
  return ended.started_at;
}

/** The runs that should have ended by `now`, of monitors that are watched, the earliest of each. */
export async function listLateRuns(
  db: Db,
  now: number,
  limit: number,
): Promise<{ monitorId: number; startedAt: number; lateAt: number }[]> {
  const rows = await db
    .selectFrom("heartbeat_runs")
    .innerJoin("monitors", "monitors.id", "heartbeat_runs.monitor_id")
    .select(["monitor_id", "started_at", "late_at"])
    .where("late_at", "<=", now)
    .where("monitors.deleted_at", "is", null)
    .orderBy("late_at")
    .limit(limit)
    .execute();
  const earliest = new Map(rows.toReversed().map((row) => [row.monitor_id, row]));
  return [...earliest.values()].map((row) => ({
    monitorId: row.monitor_id,
    startedAt: row.started_at,
    lateAt: row.late_at ?? now,
  }));
}

/** Runs of a monitor that should have ended by then are not waited for any more; how long they take is still of interest. */
export async function giveUpRuns(trx: Db, monitorId: number, lateAt: number): Promise<void> {
  await trx
    .updateTable("heartbeat_runs")
    .set({ late_at: null })
    .where("monitor_id", "=", monitorId)
    .where("late_at", "<=", lateAt)
    .execute();
}

/** The runs under way, the newest first. */
export async function listOpenRuns(db: Db, monitorId: number): Promise<OpenRun[]> {
  const rows = await db
    .selectFrom("heartbeat_runs")
    .selectAll()
    .where("monitor_id", "=", monitorId)
    .orderBy("started_at", "desc")
    .execute();
  return rows.map((row) => ({ run: row.run, startedAt: row.started_at, lateAt: row.late_at }));
}

/** Stores what a job sent, and no more than the newest of its monitor. */
export async function insertSignal(trx: Db, monitorId: number, entry: HeartbeatEntry): Promise<void> {
  await trx
    .insertInto("heartbeat_signals")
    .values({
      monitor_id: monitorId,
      signalled_at: entry.signalledAt,
      signal: entry.signal,
      exit_code: entry.exitCode,
      run: entry.run,
      message: entry.message,
      cut: entry.isCut ? 1 : 0,
    })
    .execute();
  // In the order in which they came: a clock that was ahead may have dated others after this one.
  const newest = trx
    .selectFrom("heartbeat_signals")
    .select("id")
    .where("monitor_id", "=", monitorId)
    .orderBy("id", "desc")
    .limit(1)
    .offset(MAX_SIGNALS);
  await trx
    .deleteFrom("heartbeat_signals")
    .where("monitor_id", "=", monitorId)
    .where("id", "<=", newest)
    .execute();
}

/** What was sent in a range of milliseconds, without its end, the newest first. */
export async function listSignals(
  db: Db,
  { monitorId, from, to, limit }: Record<"monitorId" | "from" | "to" | "limit", number>,
): Promise<HeartbeatEntry[]> {
  const rows = await db
    .selectFrom("heartbeat_signals")
    .selectAll()
    .where("monitor_id", "=", monitorId)
    .where("signalled_at", ">=", from)
    .where("signalled_at", "<", to)
    .orderBy("signalled_at", "desc")
    .orderBy("id", "desc")
    .limit(limit)
    .execute();
  return rows.map((row) => ({
    signalledAt: row.signalled_at,
    signal: row.signal,
    exitCode: row.exit_code,
    run: row.run,
    message: row.message,
    isCut: row.cut === 1,
  }));
}
