import { sql } from "kysely";
import type { Db } from "../../platform/database/schema.ts";
import { among, isRef, type ListPart, type Ref } from "../../platform/database/sql.ts";
import type { DeliveryAttemptTable } from "../../platform/database/tables/outbox.ts";
import { type MessageDescriptor, messageJson, msg, parseMessage } from "../../platform/i18n/message.ts";
import { DELIVERY_COLUMNS, type Delivery, waiting } from "./outbox.ts";

/** What was sent, secrets masked. */
export interface SentRequest {
  method: string;
  url: string;
  headers: Record<string, string>;
  body: string;
}

/** What came back. */
export interface ReceivedAnswer {
  status: number;
  body: string;
}

/** One try to send something to a channel. */
export interface DeliveryAttempt {
  deliveryId: number;
  at: number;
  durationMs: number;
  outcome: DeliveryAttemptTable["outcome"];
  message: MessageDescriptor | null;
  request: SentRequest | null;
  answer: ReceivedAnswer | null;
}

/** When a row of the outbox, or the message that says it among other things, was tried last; null: it was not yet. */
const lastTriedAt = sql<number | null>`(select max(delivery_attempts.at) from delivery_attempts
  where delivery_attempts.delivery_id = outbox.id)`;

export async function insertAttempt(
  trx: Db,
  organizationId: number,
  attempt: DeliveryAttempt,
): Promise<void> {
  const { deliveryId, at, durationMs, outcome, message, request, answer } = attempt;
  await trx
    .insertInto("delivery_attempts")
    .values({
      organization_id: organizationId,
      delivery_id: deliveryId,
      at,
      duration_ms: durationMs,
      outcome,
      message: messageJson(message),
      request: request && JSON.stringify(request),
      answer: answer && JSON.stringify(answer),
    })
    .execute();
}

/** The tries of these deliveries, oldest first. */
export async function listAttempts(db: Db, deliveryIds: readonly number[]): Promise<DeliveryAttempt[]> {
  const rows = await db
    .selectFrom("delivery_attempts")
    .selectAll()
    .where(among(db, "delivery_id", deliveryIds))
    .orderBy("id")
    .execute();
  return rows.map(({ delivery_id, at, duration_ms, outcome, message, request, answer }) => ({
    deliveryId: delivery_id,
    at,
    durationMs: duration_ms,
    outcome,
    message: message === null ? null : JSON.parse(message),
    request: request === null ? null : JSON.parse(request),
    answer: answer === null ? null : JSON.parse(answer),
  }));
}

/** The log of what was sent to a channel, newest first. */
export interface LoggedDelivery {
  id: number;
  uuid: string;
  event: string | null;
  message: string | null;
  state: "waiting" | "sent" | "failed";
  attempts: number;
  failure: string | null;
  nextTryAt: number;
  /** Until when nothing is sent to its channel; null: it may be. */
  heldUntil: number | null;
  /** Whether an earlier one about the same, which goes first, is still on its way. SQLite: 0 or 1. */
  isBehind: boolean | number;
  /** When it, or the message that says it among other things, was tried last. */
  triedAt: number | null;
  createdAt: number;
}

const logged = [
  "id",
  "uuid",
  "event",
  "message",
  "state",
  "attempts",
  "failure",
  "next_try_at as nextTryAt",
  "created_at as createdAt",
] as const;

const heldUntil = sql<
  number | null
>`(select held_until from channels where channels.id = outbox.channel_id)`.as("heldUntil");

/** Whether an earlier message about the same is still on its way and goes first. */
export const isBehind = sql<boolean | number>`exists (select 1 from outbox as earlier
  where earlier.channel_id = outbox.channel_id and earlier.subject = outbox.subject and earlier.state = 'waiting'
    and earlier.id < outbox.id)`.as("isBehind");

export const listChannelDeliveries = (
  db: Db,
  channelId: number,
  { limit, offset, way }: ListPart,
): Promise<LoggedDelivery[]> =>
  db
    .selectFrom("outbox")
    .select(logged)
    .select([lastTriedAt.as("triedAt"), heldUntil, isBehind])
    .where("channel_id", "=", channelId)
    .orderBy("id", way)
    .limit(limit)
    .offset(offset)
    .execute();

/** How many there are in it. */
export async function countChannelDeliveries(db: Db, channelId: number): Promise<number> {
  const { count } = await db
    .selectFrom("outbox")
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .where("channel_id", "=", channelId)
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** One of a channel; undefined when it has none such. */
export const findChannelDelivery = (
  db: Db,
  channelId: number,
  ref: Ref,
): Promise<(Delivery & LoggedDelivery) | undefined> =>
  db
    .selectFrom("outbox")
    .select([...DELIVERY_COLUMNS, "state", "next_try_at as nextTryAt"])
    .select([lastTriedAt.as("triedAt"), heldUntil, isBehind])
    .where("channel_id", "=", channelId)
    .where(isRef("outbox", ref))
    .executeTakeFirst();

/** Sends something once more, now. False while it waits to be sent anyway. */
export async function sendAgain(
  db: Db,
  id: number,
  { now, givesUpAt }: { now: number; givesUpAt: number },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable("outbox")
    .set({
      state: "waiting",
      attempts: 0,
      next_try_at: now,
      gives_up_at: givesUpAt,
      failure: null,
      released_at: now,
    })
    .where("id", "=", id)
    .where("state", "!=", "waiting")
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

/** Takes a message to a machine out of the order of what it is about: nothing waits for it. */
export async function takeOutOfOrder(trx: Db, id: number): Promise<void> {
  await trx.updateTable("outbox").set({ subject: null }).where("id", "=", id).execute();
}

/** Whether another message of one of its alerts was sent or tried after it, or its subject has a later alert. */
export async function hasNewer(trx: Db, id: number): Promise<boolean> {
  const { rows } = await sql`
    select 1 from outbox_alerts as own
    join alerts on alerts.id = own.alert_id
    join alerts as same on same.channel_id = alerts.channel_id and same.subject = alerts.subject
    where own.delivery_id = ${id} and (same.id > alerts.id or exists (
      select 1 from outbox_alerts as later where later.alert_id = same.id and later.delivery_id > own.delivery_id))
    limit 1`.execute(trx);
  return rows.length > 0;
}

/** Times that a clock ahead has written, milliseconds: later than `furthest…` no right one writes any. */
interface WrongDates {
  now: number;
  /** When the process that has begun to send may be given up, from now on. */
  until: number;
  furthestLease: number;
  furthestTry: number;
  furthestPause: number;
  /** Of a channel that was disabled by what the other side answered. */
  furthestDaily: number;
}

/**
 * Has what a clock ahead of the present one put off tried now: messages that have not been tried, which were due at once, those that
 * are under way or to be tried again after `limit`, and channels that are held until
 * then. What is due by `latest` is not put off. One try too many does no harm where the time was right. Times in milliseconds.
 */
export async function correctDeliveryDates(
  db: Db,
  { limit, latest, now }: { limit: number; latest: number; now: number },
): Promise<void> {
  await db
    .updateTable("outbox")
    .set({ next_try_at: now, leased_until: null })
    .where("state", "=", waiting)
    .where((is) =>
      is.or([
        is("leased_until", ">", limit),
        is("next_try_at", ">", limit),
        is.and([is("attempts", "=", 0), is("next_try_at", ">", latest)]),
      ]),
    )
    .execute();
  await releaseChannels(db, limit);
}

/**
 * Brings back what another server's clock has put off further than any right one does: what is under way gets the time that
 * one attempt may take, since that server may be alive, and all else is tried now.
 */
export async function correctOthersDates(db: Db, dates: WrongDates): Promise<void> {
  const { now, until, furthestLease, furthestTry, furthestPause, furthestDaily } = dates;
  const wrong = db
    .updateTable("outbox")
    .where("state", "=", waiting)
    .where("next_try_at", ">", furthestLease);
  await wrong
    .set({ next_try_at: until, leased_until: until })
    .where("leased_until", ">", furthestLease)
    .execute();
  await wrong
    .set({ next_try_at: now })
    .where("leased_until", "is", null)
    .where((is) =>
      is.or([
        is("next_try_at", ">", furthestTry),
        is.and([is("attempts", "=", 0), is("created_at", ">", furthestLease)]),
      ]),
    )
    .execute();
  await releaseChannels(db, furthestPause, furthestDaily);
}

/** Of those that are held until later than that; `daily`: of those that are disabled, and tried once a day. */
async function releaseChannels(db: Db, limit: number, daily: number = limit): Promise<void> {
  const held = db.updateTable("channels").set({ held_until: null });
  await held.where("enabled", "=", 1).where("held_until", ">", limit).execute();
  await held.where("enabled", "=", 0).where("held_until", ">", daily).execute();
}

/** A message to a channel. */
export interface LastDelivery {
  event: string | null;
  state: "waiting" | "sent" | "failed";
  failure: MessageDescriptor | null;
  /** When it, or the message that says it among other things, was tried last. */
  triedAt: number | null;
  createdAt: number;
}

const merged = messageJson(msg("delivery.merged"));

/**
 * The newest message to each of these channels that was tried, or where none was, the newest: what waits says nothing of it, nor
 * does what became part of another message.
 */
export async function listLastDeliveries(
  db: Db,
  channelIds: readonly number[],
): Promise<Map<number, LastDelivery>> {
  const tried = sql`(select max(id) from outbox where channel_id = channels.id and (attempts > 0 or state <> 'waiting')
    and coalesce(failure, '') <> ${merged})`;
  const newest = sql<number>`coalesce(${tried}, (select max(id) from outbox where channel_id = channels.id))`;
  const rows = await db
    .selectFrom("channels")
    .innerJoin("outbox", (join) => join.on("outbox.id", "=", newest))
    .select([
      "channels.id as channelId",
      "outbox.event",
      "outbox.state",
      "outbox.failure",
      lastTriedAt.as("triedAt"),
      "outbox.created_at as createdAt",
    ])
    .where(among(db, "channels.id", channelIds))
    .execute();
  return new Map(
    rows.map(({ channelId, failure, ...same }) => [channelId, { ...same, failure: parseMessage(failure) }]),
  );
}

/** A message in the outbox. Milliseconds. */
export interface PendingTry {
  nextTryAt: number;
  /** How often it was tried in vain, with the attempt that is under way. */
  attempts: number;
  /** An attempt has no answer yet: until `nextTryAt`, when it counts as lost. */
  isRunning: boolean;
}

/** What of these alerts waits in the outbox. */
export async function listPendingTries(
  db: Db,
  alertIds: readonly number[],
  now: number,
): Promise<Map<number, PendingTry>> {
  if (alertIds.length === 0) return new Map();
  const rows = await db
    .selectFrom("outbox_alerts")
    .innerJoin("outbox", "outbox.id", "outbox_alerts.delivery_id")
    .select(["outbox_alerts.alert_id as alertId", "outbox.next_try_at as nextTryAt", "outbox.attempts"])
    .select("outbox.leased_until as leasedUntil")
    .where(among(db, "outbox_alerts.alert_id", alertIds))
    .where("outbox.state", "=", sql.lit("waiting"))
    .orderBy("outbox.id", "desc")
    .execute();
  return new Map(
    rows.map(({ alertId, leasedUntil, ...tries }) => [
      alertId,
      { ...tries, isRunning: leasedUntil !== null && leasedUntil > now },
    ]),
  );
}

/** When the message is tried again of which an attempt failed, by its channel: what comes after it waits for it. Milliseconds. */
export async function listFailingChannels(
  db: Db,
  channelIds: readonly number[],
  now: number,
): Promise<Map<number, number>> {
  if (channelIds.length === 0) return new Map();
  const rows = await db
    .selectFrom("outbox")
    .select(["channel_id as id", "next_try_at as at"])
    .where(among(db, "channel_id", channelIds))
    .where("state", "=", sql.lit("waiting"))
    .where("failure", "is not", null)
    .where((is) => is.or([is("leased_until", "is", null), is("leased_until", "<=", now)]))
    .orderBy("next_try_at", "desc")
    .execute();
  return new Map(rows.flatMap(({ id, at }) => (id === null ? [] : [[id, at] as const])));
}
