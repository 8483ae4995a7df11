import { sql } from "kysely";
import { insertMany } from "../bulk.ts";
import type { Db } from "../db.ts";
import { among, idIn } from "../dialect.ts";
import { waiting } from "./outbox.ts";
import { noteToldOutages } from "./thread-outage-changes.ts";

/** What a channel is told about a monitor that is not of its outages alone, or first. */
export interface OpenThread {
  id: number;
  channelId: number;
  monitorId: number;
}

/** The threads of these channels and monitors that have not ended. */
export function listOpenThreads(
  trx: Db,
  channelIds: readonly number[],
  monitorIds: readonly number[],
): Promise<OpenThread[]> {
  return trx
    .selectFrom("channel_threads")
    .select(["id", "channel_id as channelId", "monitor_id as monitorId"])
    .where(among(trx, "channel_id", channelIds))
    .where(among(trx, "monitor_id", monitorIds))
    .where("closed_at", "is", null)
    .$narrowType<{ monitorId: number }>()
    .execute();
}

/** In which of these threads it was told, or is about to be, that one of these monitors flaps: `THREAD MONITOR`. */
export async function listFlaps(
  trx: Db,
  monitorIds: readonly number[],
  threadIds: readonly number[],
): Promise<Set<string>> {
  if (monitorIds.length === 0) return new Set();
  const channels = trx
    .selectFrom("channel_threads")
    .select("channel_id")
    .where(among(trx, "id", threadIds));
  const rows = await trx
    .selectFrom("outbox")
    .select(["thread_id as threadId", "message"])
    .where("channel_id", "in", channels)
    .where(among(trx, "thread_id", threadIds))
    .where("event", "=", "monitor.flapping")
    .where("state", "in", ["waiting", "sent"])
    .execute();
  return new Set(
    rows.map(({ threadId, message }) => `${threadId} ${(JSON.parse(message ?? "{}") as Flap).monitor?.id}`),
  );
}

interface Flap {
  monitor?: { id: number } | null;
}

/**
 * The threads that tell of these incidents' outages, with the first of each, in which something got there, of channels of these
 * types that are on.
 */
export async function listThreadsOfIncidents(
  trx: Db,
  incidentIds: readonly number[],
  types: readonly string[],
) {
  const rows = await trx
    .selectFrom("affected_services as affected")
    .innerJoin("thread_outages as own", (join) =>
      join
        .onRef("own.monitor_id", "=", "affected.monitor_id")
        .onRef("own.started_at", "=", "affected.outage_started_at"),
    )
    .innerJoin("channel_threads as thread", "thread.id", "own.thread_id")
    .innerJoin("channels", "channels.id", "thread.channel_id")
    .select([
      "affected.incident_id as incidentId",
      "thread.id as threadId",
      "thread.channel_id as channelId",
      "own.monitor_id as monitorId",
      "channels.target",
      "channels.user_id as userId",
    ])
    .where(idIn("affected.incident_id", incidentIds))
    .where("own.end_told_at", "is", null)
    .where("thread.closed_at", "is", null)
    .where("thread.told_at", "is not", null)
    .where("channels.enabled", "=", 1)
    .where("channels.type", "in", types)
    .orderBy("affected.incident_id")
    .orderBy("thread.id")
    .orderBy("own.id", "desc")
    .execute();
  return [...new Map(rows.map((row) => [`${row.incidentId} ${row.threadId}`, row])).values()];
}

/** Opens threads; one that is open already stays. */
export async function openThreads(
  trx: Db,
  threads: readonly { organizationId: number; channelId: number; monitorId: number }[],
  now: number,
): Promise<void> {
  const rows = threads.map(({ organizationId, channelId, monitorId }) => ({
    organization_id: organizationId,
    channel_id: channelId,
    monitor_id: monitorId,
    opened_at: now,
  }));
  await insertMany(trx, "channel_threads", rows, "nothing");
}

/** These go on telling of outages, and of nothing else of their monitors. */
export async function releaseThreads(trx: Db, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return;
  await trx
    .updateTable("channel_threads")
    .set({ monitor_id: null })
    .where(among(trx, "id", ids))
    .execute();
}

/** What comes next about these monitors begins anew. */
export async function closeThreads(trx: Db, ids: readonly number[], now: number): Promise<void> {
  if (ids.length === 0) return;
  await trx
    .updateTable("channel_threads")
    .set({ closed_at: now })
    .where(among(trx, "id", ids))
    .execute();
}

/**
 * When it began, whether anything of it got there, what the other side calls the first, and whether an outage that it tells of goes
 * on; undefined when it is gone. `isEnded`: what that message tells is over, and no end waits that is told after it. `monitorId`: of which it says
 * that it is down.
 */
export async function readThread(
  db: Db,
  id: number,
  { messageId, monitorId }: { messageId: number; monitorId: number | null },
) {
  const row = await db
    .selectFrom("channel_threads as thread")
    .select(["thread.opened_at as openedAt", "thread.told_at as toldAt", "thread.reference"])
    .select([
      sql<number>`case when exists (select 1 from thread_outages as own
        where own.thread_id = thread.id and own.ended_at is null) then 1 else 0 end`.as("open"),
      sql<number>`case when (thread.closed_at is not null
          or (cast(${monitorId} as bigint) is not null and not exists (select 1 from thread_outages as own
            where own.thread_id = thread.id and own.end_told_at is null and own.monitor_id = ${monitorId})))
        and not exists (select 1 from outbox as later
          where later.thread_id = thread.id and later.state = ${waiting} and later.id > ${messageId}
            and later.event in ('monitor.up', 'monitor.settled', 'monitor.stopped'))
        then 1 else 0 end`.as("ended"),
    ])
    .where("thread.id", "=", id)
    .executeTakeFirst();
  return row && { ...row, goesOn: Number(row.open) === 1, isEnded: Number(row.ended) === 1 };
}

/**
 * A message of theirs got there. The first one counts; the next reminder is due that long after the last. `outages`: those (thread_outages) that
 * it said have begun.
 */
export async function noteTold(
  db: Db,
  ids: readonly number[],
  { reference, outages }: { reference: string | null; outages: readonly number[] },
  now: number,
): Promise<void> {
  await db
    .updateTable("channel_threads")
    .set({
      told_at: sql`coalesce(told_at, ${now})`,
      reference: sql`coalesce(reference, ${reference})`,
      // Of outages alone.
      remind_at: sql`(
        select cast(${now} as bigint) + 60000 * nullif(channels.reminder_minutes, 0) from channels
        where channels.id = channel_threads.channel_id and exists (
          select 1 from thread_outages
          where thread_outages.thread_id = channel_threads.id and thread_outages.ended_at is null))`,
    })
    .where(among(db, "id", ids))
    .execute();
  await noteToldOutages(db, outages, now);
}

/** The other side knows that message no more. */
export async function forgetReference(db: Db, id: number): Promise<void> {
  await db.updateTable("channel_threads").set({ reference: null }).where("id", "=", id).execute();
}
