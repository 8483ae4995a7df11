import { sql } from "kysely";
import type { Severity } from "../../incident/states.ts";
import type { Db } from "../db.ts";
import { among, idIn, lockRows } from "../dialect.ts";

/** An outage that a channel's open thread tells of, and whose end is still to be told there. Times in milliseconds. */
export interface ThreadOutage {
  id: number;
  threadId: number;
  channelId: number;
  /** The monitor of which else is told in that thread; null: none. */
  subjectId: number | null;
  monitorId: number;
  startedAt: number;
  /** When it was written that the channel is told of it; null: it joined what it had been told of. */
  toldAt: number | null;
  /** Null: it goes on. */
  endedAt: number | null;
  /** The incident that has it now, and the monitor that leads that; null: none. */
  incidentId: number | null;
  leadId: number | null;
  /** The monitor is in a maintenance window. */
  isInMaintenance: boolean;
}

/** Which threads: these, and those that tell of an outage of these monitors. */
export interface WhichThreads {
  threadIds?: readonly number[];
  monitorIds?: readonly number[];
}

const untold = (db: Db) => db.selectFrom("thread_outages").where("end_told_at", "is", null);

async function threadsOf(db: Db, monitorIds: readonly number[]): Promise<number[]> {
  const rows = await untold(db)
    .select("thread_id as id")
    .distinct()
    .where(among(db, "monitor_id", monitorIds))
    .execute();
  return rows.map(({ id }) => id);
}

/** What is still to be told in these threads, in the order in which it was put there. */
export async function listThreadOutages(
  db: Db,
  { threadIds = [], monitorIds = [] }: WhichThreads,
): Promise<ThreadOutage[]> {
  const theirs = monitorIds.length === 0 ? [] : await threadsOf(db, monitorIds);
  const ids = [...new Set([...threadIds, ...theirs])];
  if (ids.length === 0) return [];
  const rows = await db
    .selectFrom("thread_outages as own")
    .innerJoin("channel_threads as thread", "thread.id", "own.thread_id")
    .leftJoin("affected_services as affected", (join) =>
      join
        .onRef("affected.monitor_id", "=", "own.monitor_id")
        .onRef("affected.outage_started_at", "=", "own.started_at"),
    )
    .leftJoin("incidents", "incidents.id", "affected.incident_id")
    .leftJoin("monitor_states", "monitor_states.monitor_id", "own.monitor_id")
    .select([
      "own.id",
      "own.thread_id as threadId",
      "thread.channel_id as channelId",
      "thread.monitor_id as subjectId",
      "own.monitor_id as monitorId",
      "own.started_at as startedAt",
      "own.told_at as toldAt",
      "own.ended_at as endedAt",
      "incidents.id as incidentId",
      "incidents.monitor_id as leadId",
      "monitor_states.maintenance_until as maintenanceUntil",
    ])
    .where(among(db, "own.thread_id", ids))
    .where("own.end_told_at", "is", null)
    .where("thread.closed_at", "is", null)
    .orderBy("own.id")
    .execute();
  // What was down twice at one moment is in two incidents: the later one has it.
  const byId = new Map(
    rows.map(({ maintenanceUntil, ...row }) => [
      row.id,
      { ...row, isInMaintenance: maintenanceUntil !== null },
    ]),
  );
  return [...byId.values()];
}

/** An outage as a message names it. */
export interface NamedOutage {
  id: number;
  threadId: number;
  monitorId: number;
  /** Milliseconds. */
  startedAt: number;
  name: string;
  severity: Severity;
}

/** These outages, in order. */
export const listNamedOutages = (db: Db, ids: readonly number[]): Promise<NamedOutage[]> =>
  db
    .selectFrom("thread_outages as own")
    .innerJoin("monitors", "monitors.id", "own.monitor_id")
    .select([
      ...(["own.id", "own.thread_id as threadId", "own.monitor_id as monitorId"] as const),
      "own.started_at as startedAt",
      ...(["monitors.name", "monitors.severity"] as const),
    ])
    .where(among(db, "own.id", ids))
    .orderBy("own.id")
    .execute();

/** When these outages were told. */
export const listToldOutages = (
  db: Db,
  ids: readonly number[],
): Promise<Pick<ThreadOutage, "id" | "threadId" | "monitorId" | "toldAt">[]> =>
  db
    .selectFrom("thread_outages")
    .select(["id", "thread_id as threadId", "monitor_id as monitorId", "told_at as toldAt"])
    .where(among(db, "id", ids))
    .execute();

/** Nobody else tells in the threads of these monitors' outages until the transaction ends. */
export async function lockThreads(trx: Db, monitorIds: readonly number[]): Promise<void> {
  const ids = await threadsOf(trx, monitorIds);
  if (ids.length === 0) return;
  const query = trx
    .selectFrom("channel_threads")
    .select("id")
    .where(among(trx, "id", ids))
    .orderBy("id");
  await lockRows(trx, query).execute();
}

/** A thread in which channels are told of an incident. */
export interface IncidentThread {
  threadId: number;
  channelId: number;
  incidentId: number;
  /** Something of it is of critical severity, so that nothing of it waits for a channel's hours. */
  isCritical: boolean;
}

/** The threads that tell of outages which these incidents have now, and of whose end nobody was told; oldest first. */
export async function listIncidentThreads(db: Db, incidentIds: readonly number[]): Promise<IncidentThread[]> {
  const rows = await db
    .selectFrom("affected_services as affected")
    .innerJoin("thread_outages as own", (join) =>
      join
        .onRef("own.monitor_id", "=", "affected.monitor_id")
        .onRef("own.started_at", "=", "affected.outage_started_at"),
    )
    .innerJoin("channel_threads as thread", "thread.id", "own.thread_id")
    .innerJoin("monitors", "monitors.id", "own.monitor_id")
    .select([
      "own.thread_id as threadId",
      "thread.channel_id as channelId",
      "affected.incident_id as incidentId",
      sql<number>`max(case when monitors.severity = 'critical' then 1 else 0 end)`.as("critical"),
    ])
    .where(idIn("affected.incident_id", incidentIds))
    .where("own.end_told_at", "is", null)
    .where("thread.closed_at", "is", null)
    .groupBy(["own.thread_id", "thread.channel_id", "affected.incident_id"])
    .orderBy("own.thread_id")
    .execute();
  return rows.map(({ critical, ...row }) => ({ ...row, isCritical: Number(critical) === 1 }));
}

/** An outage by what is known of it before anybody was told. Milliseconds. */
export interface KnownOutage {
  monitorId: number;
  startedAt: number;
}

/** Which channels have these outages in a thread, ended or not: `CHANNEL MONITOR START`. */
export async function listTellings(db: Db, outages: readonly KnownOutage[]): Promise<Set<string>> {
  const rows = await db
    .selectFrom("thread_outages as own")
    .innerJoin("channel_threads as thread", "thread.id", "own.thread_id")
    .select(["thread.channel_id as channelId", "own.monitor_id as monitorId", "own.started_at as startedAt"])
    .where(
      among(
        db,
        "own.monitor_id",
        outages.map(({ monitorId }) => monitorId),
      ),
    )
    .execute();
  return new Set(rows.map(tellingKey));
}

export const tellingKey = ({
  channelId,
  monitorId,
  startedAt,
}: KnownOutage & { channelId: number }): string => `${channelId} ${monitorId} ${startedAt}`;

/** Where these monitors are down, by `CHANNEL MONITOR`; and which of their ended outages are still to be told as such. */
export async function listStanding(
  db: Db,
  monitorIds: readonly number[],
): Promise<{
  down: Set<string>;
  ended: Pick<ThreadOutage, "id" | "threadId" | "monitorId" | "channelId">[];
}> {
  const rows = await untold(db)
    .innerJoin("channel_threads as thread", "thread.id", "thread_outages.thread_id")
    .select([
      "thread_outages.id",
      "thread_outages.thread_id as threadId",
      "thread.channel_id as channelId",
      "thread_outages.monitor_id as monitorId",
      "ended_at as endedAt",
    ])
    .where(among(db, "thread_outages.monitor_id", monitorIds))
    .where("thread.closed_at", "is", null)
    .execute();
  const down = rows.filter(({ endedAt }) => endedAt === null).map(standingKey);
  return { down: new Set(down), ended: rows.filter(({ endedAt }) => endedAt !== null) };
}

export const standingKey = ({ channelId, monitorId }: { channelId: number; monitorId: number }): string =>
  `${channelId} ${monitorId}`;
