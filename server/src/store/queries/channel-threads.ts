import { sql } from "kysely";
import { insertMany } from "../bulk.ts";
import type { Db } from "../db.ts";
import { among, idIn } from "../dialect.ts";

/** What a channel is told about a monitor, from the first trouble on. */
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

/** Those of these threads in which it was told, or is about to be, that the monitor flaps. */
export async function listFlappingThreads(trx: Db, threads: readonly OpenThread[]): Promise<Set<number>> {
  const rows = await trx
    .selectFrom("outbox")
    .select(sql<number>`outbox.thread_id`.as("id"))
    .distinct()
    .where(
      among(
        trx,
        "channel_id",
        threads.map(({ channelId }) => channelId),
      ),
    )
    .where(
      among(
        trx,
        "thread_id",
        threads.map(({ id }) => id),
      ),
    )
    .where("event", "=", "monitor.flapping")
    .where("state", "in", ["waiting", "sent"])
    .execute();
  return new Set(rows.map(({ id }) => id));
}

/**
 * The threads of these incidents' outages in which something got there, of channels of these types that are on. One that
 * goes on after its monitor's outage may speak for others; not one whose monitor is down once more, in another incident.
 */
export function listThreadsOfIncidents(trx: Db, incidentIds: readonly number[], types: readonly string[]) {
  const outages = trx
    .selectFrom("affected_services")
    .select(["incident_id", "monitor_id"])
    .distinct()
    .where(idIn("incident_id", incidentIds))
    .where("monitor_id", "is not", null)
    .where("outage_started_at", "is not", null);
  return trx
    .selectFrom(outages.as("outage"))
    .innerJoin("channel_threads as thread", "thread.monitor_id", "outage.monitor_id")
    .innerJoin("channels", "channels.id", "thread.channel_id")
    .select([
      "outage.incident_id as incidentId",
      "thread.id as threadId",
      "thread.channel_id as channelId",
      "thread.monitor_id as monitorId",
      "channels.target",
      "channels.user_id as userId",
    ])
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom("affected_services as elsewhere")
            .select("elsewhere.id")
            .whereRef("elsewhere.monitor_id", "=", "thread.monitor_id")
            .whereRef("elsewhere.incident_id", "!=", "outage.incident_id")
            .where("elsewhere.outage_started_at", "is not", null)
            .where("elsewhere.outage_ended_at", "is", null),
        ),
      ),
    )
    .where("thread.closed_at", "is", null)
    .where("thread.told_at", "is not", null)
    .where("channels.enabled", "=", 1)
    .where("channels.type", "in", types)
    .orderBy("outage.incident_id")
    .orderBy("thread.id")
    .$narrowType<{ monitorId: number }>()
    .execute();
}

/** When a channel was told of something in a thread, of which outages (ids), and when it is reminded; milliseconds. */
export interface ToldChannel {
  threadId: number;
  channelId: number;
  toldAt: number;
  outages: readonly number[];
  remindAt: number | null;
}

/** What the channels were told that have a thread about one of these monitors in which something got there. */
export async function listTold(trx: Db, monitorIds: readonly number[]): Promise<ToldChannel[]> {
  const rows = await trx
    .selectFrom("channel_threads")
    .select([
      "id as threadId",
      "channel_id as channelId",
      "told_at as toldAt",
      "told_outages as outages",
      "remind_at as remindAt",
    ])
    .where(among(trx, "monitor_id", monitorIds))
    .where("closed_at", "is", null)
    .where("told_at", "is not", null)
    .orderBy("told_at")
    .execute();
  return rows.map(({ toldAt, outages, ...row }) => ({
    ...{ ...row, toldAt: Number(toldAt), outages: JSON.parse(outages) as number[] },
  }));
}

/** Opens threads; one that is open already stays. `told`: where it was told in another thread what this one begins with. */
export async function openThreads(
  trx: Db,
  threads: readonly { organizationId: number; channelId: number; monitorId: number; told?: ToldChannel }[],
  now: number,
): Promise<void> {
  const rows = threads.map(({ organizationId, channelId, monitorId, told }) => ({
    organization_id: organizationId,
    channel_id: channelId,
    monitor_id: monitorId,
    opened_at: now,
    closed_at: null,
    told_at: told?.toldAt ?? null,
    told_outages: JSON.stringify(told?.outages ?? []),
    remind_at: told?.remindAt ?? null,
    reference: null,
  }));
  await insertMany(trx, "channel_threads", rows, "nothing");
}

/**
 * What is told in these threads is about their monitors' successors from now on. Returns the threads of monitors that have
 * none, or one with a thread of its own in that channel.
 */
export async function handOverThreads(
  trx: Db,
  threads: readonly OpenThread[],
  successors: ReadonlyMap<number, number>,
): Promise<OpenThread[]> {
  const left: OpenThread[] = [];
  for (const thread of threads) {
    const monitorId = successors.get(thread.monitorId);
    const isHandedOver = monitorId !== undefined && (await giveThread(trx, thread, monitorId));
    if (!isHandedOver) left.push(thread);
  }
  return left;
}

async function giveThread(trx: Db, { id, channelId }: OpenThread, monitorId: number): Promise<boolean> {
  const [own] = await listOpenThreads(trx, [channelId], [monitorId]);
  if (own) return false;
  await trx.updateTable("channel_threads").set({ monitor_id: monitorId }).where("id", "=", id).execute();
  return true;
}

/** What comes next about these monitors begins anew. */
export async function closeThreads(trx: Db, ids: readonly number[], now: number): Promise<void> {
  await trx
    .updateTable("channel_threads")
    .set({ closed_at: now })
    .where(among(trx, "id", ids))
    .execute();
}

/** When it began, whether anything of it got there, and what the other side calls the first; undefined when it is gone. */
export const readThread = (db: Db, id: number) =>
  db
    .selectFrom("channel_threads")
    .select(["opened_at as openedAt", "told_at as toldAt", "reference"])
    .where("id", "=", id)
    .executeTakeFirst();

/**
 * A message of theirs got there. The first one counts; the next reminder is due that long after the last. `outages`: ids of
 * those that it said have begun.
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
        where channels.id = channel_threads.channel_id and channel_threads.monitor_id is not null)`,
    })
    .where(among(db, "id", ids))
    .execute();
  await addOutages(db, ids, outages);
}

async function addOutages(db: Db, ids: readonly number[], outages: readonly number[]): Promise<void> {
  if (outages.length === 0) return;
  const rows = await db
    .selectFrom("channel_threads")
    .select(["id", "told_outages as told"])
    .where(among(db, "id", ids))
    .execute();
  for (const { id, told } of rows) {
    const all = new Set([...(JSON.parse(told) as number[]), ...outages]);
    const known = JSON.stringify([...all]);
    await db.updateTable("channel_threads").set({ told_outages: known }).where("id", "=", id).execute();
  }
}

/** The other side knows that message no more. */
export async function forgetReference(db: Db, id: number): Promise<void> {
  await db.updateTable("channel_threads").set({ reference: null }).where("id", "=", id).execute();
}
