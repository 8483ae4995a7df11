import { type RawBuilder, sql } from "kysely";
import type { Fact } from "../../texts/fact.ts";
import { factJson } from "../../texts/fact.ts";
import type { Db } from "../db.ts";
import { among } from "../dialect.ts";
import { type Due, isDecided } from "./claim-deliveries.ts";
import { channelRow, type NewChannelDelivery, waiting } from "./outbox.ts";

/** What a channel is to be told, and of which nobody has decided yet how. */
export interface UntoldDelivery {
  id: number;
  organizationId: number;
  channelId: number;
  threadId: number;
  /** The incident that has by now what it tells of; null: none. */
  incidentId: number | null;
  userId: number | null;
  recipient: string;
  /** JSON. */
  message: string;
  createdAt: number;
  givesUpAt: number;
  heldUntil: number | null;
  closedAt: number | null;
  toldAt: number | null;
  /** What it is about, if that is something that others are about, too. */
  subject: string | null;
  nextTryAt: number;
  blockedInThread: number | null;
  blockedBySubject: number | null;
}

/** Still to be decided on: as the index `outbox_undecided` says it. */
export const undecided = sql<boolean>`outbox.state = 'waiting' and outbox.channel_id is not null and outbox.attempts = 0
  and outbox.released_at is null and outbox.digest_id is null`;

/** Channels for which something is due that is still to be decided on, and nothing that has been: of those that may be sent to now. */
export async function listUndecidedChannels(
  trx: Db,
  { now, worthAfter }: Due,
  limit: number,
): Promise<number[]> {
  const rows = await trx
    .selectFrom((from) =>
      from
        .selectFrom("outbox")
        .select(sql<number>`outbox.channel_id`.as("id"))
        .distinct()
        .where(undecided)
        .where("outbox.next_try_at", "<=", now)
        .where("outbox.gives_up_at", ">", worthAfter)
        .as("due"),
    )
    .innerJoin("channels", "channels.id", "due.id")
    .select("channels.id")
    .where(sql<boolean>`coalesce(channels.held_until, 0) <= ${now}`)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom("outbox as decided")
            .select("decided.id")
            .whereRef("decided.channel_id", "=", "channels.id")
            .where(isDecided("decided"))
            .where((is) =>
              is.or([
                is.and([is("decided.next_try_at", "<=", now), is("decided.gives_up_at", ">", worthAfter)]),
                is("decided.leased_until", ">", now),
              ]),
            ),
        ),
      ),
    )
    .orderBy("channels.id")
    .limit(limit)
    .execute();
  return rows.map(({ id }) => id);
}

/**
 * What is due for a channel and still to be decided on, oldest first. `blockedInThread`, `blockedBySubject`: something earlier
 * in its thread, or about the same, is tried then, or stays as it is until it can be told whether it is too late, and this has
 * to wait for that. What waits for the channel's hours holds up nothing but itself.
 */
export const listUntold = (
  trx: Db,
  channelId: number,
  { now, worthAfter }: Due,
  limit: number,
): Promise<UntoldDelivery[]> =>
  trx
    .selectFrom("outbox")
    .innerJoin("channels", "channels.id", "outbox.channel_id")
    .leftJoin("channel_threads", "channel_threads.id", "outbox.thread_id")
    .select([
      "outbox.id",
      "channels.organization_id as organizationId",
      "channels.id as channelId",
      "channels.user_id as userId",
      "channel_threads.id as threadId",
      "outbox.incident_id as incidentId",
      "outbox.recipient",
      sql<string>`outbox.message`.as("message"),
      "outbox.created_at as createdAt",
      "outbox.gives_up_at as givesUpAt",
      "outbox.held_until as heldUntil",
      "channel_threads.closed_at as closedAt",
      "channel_threads.told_at as toldAt",
      "outbox.subject",
      "outbox.next_try_at as nextTryAt",
      earlierUntil(
        sql`earlier.thread_id = outbox.thread_id and (${isDecidedOn}
          or (earlier.next_try_at > ${now} and coalesce(earlier.held_until, 0) <= ${now})
          or earlier.gives_up_at <= ${worthAfter})`,
      ).as("blockedInThread"),
      earlierUntil(
        sql`earlier.channel_id = outbox.channel_id and earlier.subject = outbox.subject
          and (${isDecidedOn} or earlier.next_try_at > ${now} and coalesce(earlier.held_until, 0) <= ${now})`,
      ).as("blockedBySubject"),
    ])
    .where("outbox.channel_id", "=", channelId)
    .where(undecided)
    .where("outbox.next_try_at", "<=", now)
    .where("outbox.gives_up_at", ">", worthAfter)
    .orderBy("outbox.id")
    .limit(limit)
    .$narrowType<{ threadId: number }>()
    .execute();

const isDecidedOn = sql`(earlier.attempts > 0 or earlier.released_at is not null or earlier.digest_id is not null)`;

/** When the last of those is tried that wait before a row of the outbox; null: none does. */
const earlierUntil = (which: RawBuilder<unknown>) => sql<number | null>`(
  select max(coalesce(digest.next_try_at, earlier.next_try_at)) from outbox as earlier
    left join outbox as digest on digest.id = earlier.digest_id
  where earlier.state = 'waiting' and earlier.id < outbox.id and ${which})`;

/** What was tried in vain before these, in their threads or about the same, is tried now. Returns whether there is any. */
export async function hurryEarlier(trx: Db, ids: readonly number[], now: number): Promise<boolean> {
  if (ids.length === 0) return false;
  const before = (which: RawBuilder<unknown>) => sql`
    select coalesce(earlier.digest_id, earlier.id) from outbox as later join outbox as earlier on ${which}
    where ${among(trx, "later.id", ids)} and earlier.state = 'waiting' and earlier.id < later.id`;
  const { numAffectedRows } = await sql`update outbox set next_try_at = ${now}
    where state = 'waiting' and attempts > 0 and next_try_at > ${now} and coalesce(leased_until, 0) <= ${now}
      and id in (${before(sql`earlier.thread_id = later.thread_id`)}
        union ${before(sql`earlier.channel_id = later.channel_id and earlier.subject = later.subject`)})`.execute(
    trx,
  );
  return Number(numAffectedRows ?? 0) > 0;
}

/** When the newest of a channel's events came that so many others followed, milliseconds; null: it had no more than these. */
export async function readFollowedEvent(trx: Db, channelId: number, others: number): Promise<number | null> {
  const row = await trx
    .selectFrom("outbox")
    .select("created_at as createdAt")
    .where("channel_id", "=", channelId)
    // What is told in no thread is sent at no pace.
    .where("thread_id", "is not", null)
    .orderBy("id", "desc")
    .offset(others)
    .limit(1)
    .executeTakeFirst();
  return row?.createdAt ?? null;
}

/** These are not tried before then. `isHeld`: because of the channel's hours, and they stay worth sending after that. */
export async function delayUntold(
  trx: Db,
  ids: readonly number[],
  { until, isHeld, worthMs }: { until: number; isHeld: boolean; worthMs: number },
): Promise<void> {
  await trx
    .updateTable("outbox")
    .set({
      next_try_at: until,
      ...(isHeld && { held_until: until, gives_up_at: until + worthMs }),
    })
    .where(among(trx, "id", ids))
    .execute();
}

/** These are sent as soon as their channel can be, each by itself. */
export async function releaseUntold(trx: Db, ids: readonly number[], now: number): Promise<void> {
  await trx
    .updateTable("outbox")
    .set({ released_at: now })
    .where(among(trx, "id", ids))
    .execute();
}

/** These are not sent. */
export async function dropUntold(trx: Db, ids: readonly number[], why: Fact): Promise<void> {
  await trx
    .updateTable("outbox")
    .set({ state: "failed", failure: factJson(why) })
    .where(among(trx, "id", ids))
    .execute();
}

/** Writes a message that says what others say, due now: what becomes of it becomes of them. */
export async function insertDigest(
  trx: Db,
  digest: NewChannelDelivery,
  ids: readonly number[],
  now: number,
): Promise<void> {
  const { id } = await trx
    .insertInto("outbox")
    .values(channelRow(digest, now))
    .returning("id")
    .executeTakeFirstOrThrow();
  await trx
    .updateTable("outbox")
    .set({ digest_id: id })
    .where(among(trx, "id", ids))
    .execute();
}

/** What a digest came to, for what it says. */
export async function settleDigested(
  trx: Db,
  digestId: number,
  settled: { state: "sent" } | { state: "failed"; failure: Fact },
): Promise<void> {
  await trx
    .updateTable("outbox")
    .set({ state: settled.state, failure: settled.state === "sent" ? null : factJson(settled.failure) })
    .where("digest_id", "=", digestId)
    .where("state", "=", waiting)
    .execute();
}

/** The threads of what a digest says. */
export async function threadsOfDigest(trx: Db, digestId: number): Promise<number[]> {
  const rows = await trx.selectFrom("outbox").select("thread_id").where("digest_id", "=", digestId).execute();
  return rows.flatMap((row) => row.thread_id ?? []);
}
