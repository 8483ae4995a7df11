import { sql } from "kysely";
import { insertMany } from "../bulk.ts";
import type { Db } from "../db.ts";
import { among, idIn } from "../dialect.ts";
import type { KnownOutage } from "./thread-outages.ts";

/** Puts outages in threads. `toldAt` null: the thread's channel knows of them by those that are there. */
export async function insertThreadOutages(
  trx: Db,
  outages: readonly (KnownOutage & { organizationId: number; threadId: number; toldAt: number | null })[],
): Promise<void> {
  const rows = outages.map(({ organizationId, threadId, monitorId, startedAt, toldAt }) => ({
    organization_id: organizationId,
    thread_id: threadId,
    monitor_id: monitorId,
    started_at: startedAt,
    told_at: toldAt,
  }));
  await insertMany(trx, "thread_outages", rows, "nothing");
}

/** The outages of these monitors are over, in every thread. */
export async function endThreadOutages(
  trx: Db,
  ended: readonly { monitorId: number; at: number }[],
): Promise<void> {
  if (ended.length === 0) return;
  const times = JSON.stringify(Object.fromEntries(ended.map(({ monitorId, at }) => [monitorId, at])));
  await sql`update thread_outages
    set ended_at = cast(cast(times.value as text) as bigint)
    from json_each(${times}) as times
    where thread_outages.monitor_id = cast(times.key as bigint) and thread_outages.ended_at is null`.execute(
    trx,
  );
}

/** The channel was told of these, or is about to be. */
export async function noteToldOutages(trx: Db, ids: readonly number[], now: number): Promise<void> {
  if (ids.length === 0) return;
  await trx
    .updateTable("thread_outages")
    .set({ told_at: now })
    .where(among(trx, "id", ids))
    .where("told_at", "is", null)
    .execute();
}

/** As the outbox names the beginnings of outages: of devices by names of their own. */
export const BEGINNINGS = ["monitor.down", "device.offline", "device.health"] as const;

/** These messages (outbox), which said that outages have begun, are not sent: nobody was told of what they alone were about. */
export async function forgetTellings(trx: Db, ids: readonly number[]): Promise<void> {
  await trx
    .updateTable("thread_outages")
    .set({ told_at: null })
    .where("end_told_at", "is", null)
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom("outbox")
          .select("outbox.id")
          .where(idIn("outbox.id", ids))
          .where("outbox.event", "in", BEGINNINGS)
          .whereRef("outbox.thread_id", "=", "thread_outages.thread_id")
          .whereRef("outbox.created_at", "=", "thread_outages.told_at"),
      ),
    )
    // What was written in the same moment may have a message of its own that is sent.
    .where(({ exists, not, selectFrom }) =>
      not(
        exists(
          selectFrom("outbox")
            .select("outbox.id")
            .where("outbox.event", "in", BEGINNINGS)
            .where("outbox.state", "!=", "failed")
            .where(sql<boolean>`outbox.subject = 'monitor ' || thread_outages.monitor_id`)
            .whereRef("outbox.thread_id", "=", "thread_outages.thread_id")
            .whereRef("outbox.created_at", "=", "thread_outages.told_at"),
        ),
      ),
    )
    .execute();
}

/**
 * These messages (outbox) told of others in the place of the outage that they were about, which was over when they were sent: nobody
 * was told of that. `said`: outages that they named all the same.
 */
export async function forgetReplaced(
  trx: Db,
  ids: readonly number[],
  said: readonly number[] = [],
): Promise<void> {
  if (ids.length === 0) return;
  await trx
    .updateTable("thread_outages")
    .set({ told_at: null })
    .where("ended_at", "is not", null)
    .where("end_told_at", "is", null)
    .where(({ not }) => not(among(trx, "id", said)))
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom("outbox")
          .select("outbox.id")
          .where(idIn("outbox.id", ids))
          .where("outbox.event", "in", BEGINNINGS)
          .where(sql<boolean>`outbox.subject = 'monitor ' || thread_outages.monitor_id`)
          .whereRef("outbox.thread_id", "=", "thread_outages.thread_id")
          .whereRef("outbox.created_at", "=", "thread_outages.told_at"),
      ),
    )
    .execute();
}

/** The end of these is told, or nobody has to be told any more. */
export async function noteToldEnds(trx: Db, ids: readonly number[], now: number): Promise<void> {
  if (ids.length === 0) return;
  await trx
    .updateTable("thread_outages")
    .set({ end_told_at: now })
    .where(among(trx, "id", ids))
    .execute();
}

/** These are told of in another thread from now on. */
export async function moveThreadOutages(
  trx: Db,
  moves: readonly { id: number; threadId: number }[],
): Promise<void> {
  if (moves.length === 0) return;
  const threads = JSON.stringify(Object.fromEntries(moves.map(({ id, threadId }) => [id, threadId])));
  await sql`update thread_outages
    set thread_id = cast(cast(moves.value as text) as bigint)
    from json_each(${threads}) as moves
    where thread_outages.id = cast(moves.key as bigint)`.execute(trx);
}

/** Somebody knows of all outages that these incidents have: whoever has them in a thread does, too. */
export async function knowOutages(trx: Db, incidentIds: readonly number[], now: number): Promise<void> {
  await trx
    .updateTable("thread_outages")
    .set({ told_at: now })
    .where("told_at", "is", null)
    .where("end_told_at", "is", null)
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom("affected_services as affected")
          .select("affected.id")
          .whereRef("affected.monitor_id", "=", "thread_outages.monitor_id")
          .whereRef("affected.outage_started_at", "=", "thread_outages.started_at")
          .where(idIn("affected.incident_id", incidentIds)),
      ),
    )
    .execute();
}

/** Dates the start of the open outages of these monitors that is later than `limit` to `now`. */
export async function correctThreadOutages(
  trx: Db,
  monitorIds: readonly number[],
  { limit, now }: { limit: number; now: number },
): Promise<void> {
  await trx
    .updateTable("thread_outages")
    .set({ started_at: now })
    .where(among(trx, "monitor_id", monitorIds))
    .where("ended_at", "is", null)
    .where("started_at", ">", limit)
    .execute();
}
