import { sql } from "kysely";
import type { Db } from "../db.ts";
import { among, isPostgres } from "../dialect.ts";
import { DELIVERY_COLUMNS, type Delivery, isPaced, waiting } from "./outbox.ts";

/** Replicas claim one after the other: whether a channel is being sent to is seen in rows that another one may be writing. */
const CLAIM_LOCK = 7_233_351_908;

/** How many attempts may begin. */
export interface ClaimLimits {
  now: number;
  until: number;
  /** Of what goes to no channel. */
  plain: number;
  /** Of what goes to channels of organizations, and to those of people: one each. */
  channels: ChannelLimits;
  own: ChannelLimits;
}

interface ChannelLimits {
  atMost: number;
  /** Those of whose channels enough is being sent already. */
  exceptOrganizations: readonly number[];
}

/** Lets nobody else decide what is sent next, until the transaction ends. */
export async function lockClaims(trx: Db): Promise<void> {
  if (isPostgres(trx)) await sql`select pg_advisory_xact_lock(${CLAIM_LOCK})`.execute(trx);
}

/**
 * Begins the next attempt of what is due. Until `until` no other replica begins one; then this one counts as lost. To a
 * channel one thing at a time is sent, the oldest first, and of a thread nothing before what came earlier is settled, nor
 * before it was released (untold.ts): what is committed meanwhile has to be looked at first. Call it with the claims locked.
 */
export async function claimDeliveries(trx: Db, limits: ClaimLimits): Promise<Delivery[]> {
  const found = [
    ...(await duePlain(trx, limits)),
    ...(await dueOfChannels(trx, limits.now, { ...limits.channels, areOwn: false })),
    ...(await dueOfChannels(trx, limits.now, { ...limits.own, areOwn: true })),
  ];
  if (found.length === 0) return [];
  return trx
    .updateTable("outbox")
    .set((set) => ({
      attempts: set("attempts", "+", 1),
      next_try_at: limits.until,
      leased_until: limits.until,
    }))
    .where(among(trx, "id", found))
    .returning(DELIVERY_COLUMNS)
    .execute();
}

async function duePlain(trx: Db, { now, plain }: ClaimLimits): Promise<number[]> {
  const due = trx
    .selectFrom("outbox")
    .select("id")
    .where("state", "=", waiting)
    .where("channel_id", "is", null)
    .where("next_try_at", "<=", now)
    .orderBy("next_try_at")
    .limit(plain);
  return (await due.execute()).map(({ id }) => id);
}

async function dueOfChannels(
  trx: Db,
  now: number,
  { atMost, exceptOrganizations, areOwn }: ChannelLimits & { areOwn: boolean },
): Promise<number[]> {
  if (atMost <= 0) return [];
  const whose = areOwn ? sql`channels.user_id is not null` : sql`channels.user_id is null`;
  const { rows } = await sql<{ id: number | string }>`
    select next.id from (
      select (
        select min(due.id) from outbox as due
        where due.channel_id = channels.id and due.state = 'waiting' and due.next_try_at <= ${now}
          and due.digest_id is null
          and (not ${isPaced("due")} or due.attempts > 0 or due.released_at is not null)
          and not exists (
            select 1 from outbox as earlier
            where earlier.channel_id = due.channel_id and earlier.thread_id = due.thread_id
              and earlier.state = 'waiting' and earlier.id < due.id)
      ) as id
      from channels
      where channels.id in (
          select channel_id from outbox
          where state = 'waiting' and next_try_at <= ${now} and channel_id is not null and digest_id is null)
        and ${whose}
        and coalesce(channels.held_until, 0) <= ${now}
        and not ${among(trx, "channels.organization_id", exceptOrganizations)}
        and not exists (
          select 1 from outbox as busy
          where busy.channel_id = channels.id and busy.state = 'waiting' and busy.leased_until > ${now})
    ) as next
    where next.id is not null
    order by next.id
    limit ${atMost}`.execute(trx);
  return rows.map(({ id }) => Number(id));
}
