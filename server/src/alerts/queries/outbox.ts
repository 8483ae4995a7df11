import { sql } from "kysely";
import { insertMany } from "../../platform/database/bulk.ts";
import type { Db } from "../../platform/database/schema.ts";
import { among, isPostgres } from "../../platform/database/sql.ts";
import type { TransportName } from "../../platform/database/tables/outbox.ts";
import { type MessageDescriptor, messageJson } from "../../platform/i18n/message.ts";

/** Something to send. */
export interface NewDelivery {
  uuid: string;
  organizationId: number | null;
  transport: TransportName;
  recipient: string;
  /** Encrypted. */
  content: string;
  /** Milliseconds. Later than now: a process is sending it until then. */
  nextTryAt: number;
  givesUpAt: number;
}

/** The transport of what goes to a channel: of an organization, or of one of its people. */
const channelTransportOf = (isOwn: boolean | undefined): TransportName => (isOwn ? "person" : "channel");

/** Something to send to a channel. */
export interface NewChannelDelivery {
  uuid: string;
  organizationId: number;
  channelId: number;
  /** It is the channel of one person. */
  isOwn?: boolean;
  recipient: string;
  event: string;
  /** What it is about: of that the channel receives messages in order. */
  subject?: string | null;
  /** JSON. */
  message: string;
  /** The incident that it is about. */
  incidentId?: number | null;
  givesUpAt: number;
}

/** An attempt that has begun. */
export interface Delivery extends Omit<NewDelivery, "nextTryAt"> {
  id: number;
  /** Null for what goes to no channel of an organization, and has a content instead of a message. */
  channelId: number | null;
  event: string | null;
  /** What it is about, by which it is in order; null: it is in none. */
  subject: string | null;
  message: string | null;
  /** The incident that has its outages now, and had when it was written; null: none, or several. */
  incidentId: number | null;
  /** Of what goes to a status page's subscriber: who, and what of the page; null is the request for consent. */
  subscriberId: number | null;
  pageNotificationId: number | null;
  /** This one included. */
  attempts: number;
  /** JSON of why the attempt before failed. */
  failure: string | null;
  createdAt: number;
}

/** What became of an attempt; `again`: when the next one may begin. */
export type Settlement =
  | { state: "sent" }
  | { state: "failed"; failure: MessageDescriptor }
  | { state: "waiting"; failure: MessageDescriptor | null; again: number };

/** Of a delivery. */
export const DELIVERY_COLUMNS = [
  "id",
  "uuid",
  "organization_id as organizationId",
  "channel as transport",
  "recipient",
  "content",
  "gives_up_at as givesUpAt",
  "attempts",
  "failure",
  "created_at as createdAt",
  "channel_id as channelId",
  "event",
  "subject",
  "message",
  "incident_id as incidentId",
  "subscriber_id as subscriberId",
  "page_notification_id as pageNotificationId",
] as const;

/** A literal, so that the index over these rows alone is used. */
export const waiting = sql.lit("waiting" as const);

/** The transport of what goes to subscribers of status pages, a literal as well. */
export const SUBSCRIBER = sql.lit("subscriber" as const);

/** The event of a message that requests an address's consent; a literal for its index, too. */
const CONFIRMATION = sql.lit("confirmation" as const);

/** Adds a row, with as many attempts begun as are given. */
export async function insertDelivery(
  db: Db,
  delivery: NewDelivery,
  { now, attempts = 0 }: { now: number; attempts?: number },
): Promise<Delivery> {
  const { organizationId, transport, nextTryAt, givesUpAt, ...same } = delivery;
  return db
    .insertInto("outbox")
    .values({
      ...same,
      organization_id: organizationId,
      channel: transport,
      state: "waiting",
      attempts,
      next_try_at: nextTryAt,
      gives_up_at: givesUpAt,
      failure: null,
      created_at: now,
    })
    .returning(DELIVERY_COLUMNS)
    .executeTakeFirstOrThrow();
}

/** Adds rows for channels, due at once. `heldUntil`: the caller makes the first attempt itself, until then at the latest. */
export async function insertChannelDeliveries(
  trx: Db,
  deliveries: readonly NewChannelDelivery[],
  { now, heldUntil }: { now: number; heldUntil?: number },
): Promise<void> {
  const rows = deliveries.map((each) => ({
    ...channelRow(each, now),
    attempts: heldUntil === undefined ? 0 : 1,
    next_try_at: heldUntil ?? now,
  }));
  await insertMany(trx, "outbox", rows);
}

/** Adds one and returns its number. */
export async function insertChannelDelivery(
  trx: Db,
  delivery: NewChannelDelivery,
  now: number,
): Promise<number> {
  const row = trx.insertInto("outbox").values(channelRow(delivery, now)).returning("id");
  return (await row.executeTakeFirstOrThrow()).id;
}

/** Has a message that was tried in vain say something else, due now. */
export async function rewriteDelivery(
  trx: Db,
  id: number,
  { event, message, incidentId, recipient, givesUpAt }: NewChannelDelivery,
  now: number,
): Promise<void> {
  await trx
    .updateTable("outbox")
    .set({
      ...{ event, message, recipient, incident_id: incidentId ?? null },
      ...{ next_try_at: now, released_at: now, gives_up_at: givesUpAt },
    })
    .where("id", "=", id)
    .execute();
}

/** Those of these that wait to be tried again, and not now. */
export const readWaiting = (trx: Db, ids: readonly number[]): Promise<{ id: number; uuid: string }[]> =>
  trx
    .selectFrom("outbox")
    .select(["id", "uuid"])
    .where(among(trx, "id", ids))
    .where("state", "=", waiting)
    .where("leased_until", "is", null)
    .orderBy("id")
    .execute();

/** What was tried in vain, and that no alert has to say any more. */
export async function listUnneeded(trx: Db): Promise<number[]> {
  const rows = await trx
    .selectFrom("outbox")
    .select("id")
    .where("state", "=", waiting)
    .where("channel_id", "is not", null)
    .where("released_at", "is", null)
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom("alerts").select("alerts.id").whereRef("alerts.delivery_id", "=", "outbox.id"))),
    )
    .execute();
  return rows.map(({ id }) => id);
}

/** What waits to be tried again in these channels is tried now. */
export async function hurryWaiting(trx: Db, channelIds: readonly number[], now: number): Promise<void> {
  if (channelIds.length === 0) return;
  await trx
    .updateTable("outbox")
    .set({ next_try_at: now })
    .where(among(trx, "channel_id", channelIds))
    .where("state", "=", waiting)
    .where("released_at", "is not", null)
    .where("leased_until", "is", null)
    .where("next_try_at", ">", now)
    .execute();
}

/** These are not sent. */
export async function dropWaiting(trx: Db, ids: readonly number[], why: MessageDescriptor): Promise<void> {
  if (ids.length === 0) return;
  await trx
    .updateTable("outbox")
    .set({ state: "failed", failure: messageJson(why) })
    .where(among(trx, "id", ids))
    .execute();
}

/** What waits behind a message of its channel about the same. */
export async function listFollowing(trx: Db, { id }: Pick<Delivery, "id">): Promise<number[]> {
  const { rows } = await sql<{ id: number | string }>`
    select later.id from outbox as own join outbox as later on later.channel_id = own.channel_id
      and later.subject = own.subject and later.id > own.id and later.state = 'waiting'
    where own.id = ${id}`.execute(trx);
  return rows.map((row) => Number(row.id));
}

/** It is not sent before an alert has said it anew. `nextTryAt`: when that is expected to be, where it is another time. */
export async function holdBack(trx: Db, id: number, nextTryAt?: number): Promise<void> {
  await trx
    .updateTable("outbox")
    .set({
      released_at: null,
      leased_until: null,
      ...(nextTryAt !== undefined && { next_try_at: nextTryAt }),
    })
    .where("id", "=", id)
    .execute();
}

/** What another process was sending when it ended is tried now. Milliseconds. */
export async function endLeases(db: Db, now: number): Promise<void> {
  await db
    .updateTable("outbox")
    .set({ leased_until: now, next_try_at: now })
    .where("state", "=", waiting)
    .where("leased_until", ">", now)
    .execute();
}

/** What all rows of an organization have that are due at once. */
export const dueRow = (
  each: Pick<NewChannelDelivery, "uuid" | "organizationId" | "event" | "givesUpAt">,
  now: number,
) => ({
  uuid: each.uuid,
  organization_id: each.organizationId,
  event: each.event,
  state: "waiting" as const,
  attempts: 0,
  next_try_at: now,
  gives_up_at: each.givesUpAt,
  failure: null,
  created_at: now,
});

/** A row for a channel, due at once. */
const channelRow = (each: NewChannelDelivery, now: number) => ({
  ...dueRow(each, now),
  channel: channelTransportOf(each.isOwn),
  channel_id: each.channelId,
  released_at: now,
  recipient: each.recipient,
  content: "",
  message: each.message,
  subject: each.subject ?? null,
  incident_id: each.incidentId ?? null,
});

/** Whether anything waits to be sent; called often, so without a transaction. */
export async function hasDueDeliveries(db: Db, now: number): Promise<boolean> {
  const row = await db
    .selectFrom("outbox")
    .select("id")
    .where("state", "=", waiting)
    .where("next_try_at", "<=", now)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Keeps what became of an attempt; false when it counted as lost and another one has begun since. */
export async function saveOutcome(
  db: Db,
  { id, attempts }: Pick<Delivery, "id" | "attempts">,
  settlement: Settlement,
): Promise<boolean> {
  const { state } = settlement;
  const result = await db
    .updateTable("outbox")
    .set({
      state,
      failure: state === "sent" ? null : messageJson(settlement.failure),
      leased_until: null,
      // What is not sent any more must not be read any more: links in it may still be good.
      ...(state === "waiting" ? { next_try_at: settlement.again } : { content: "" }),
    })
    .where("id", "=", id)
    .where("attempts", "=", attempts)
    .where("state", "=", "waiting")
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

/** Removes a row. */
export async function deleteDelivery(db: Db, id: number): Promise<void> {
  await db.deleteFrom("outbox").where("id", "=", id).execute();
}

/** How many were written for a recipient by these organizations since then. */
export async function countDeliveries(
  db: Db,
  { organizationIds, recipient }: { organizationIds: readonly number[]; recipient: string },
  since: number,
): Promise<number> {
  const { count } = await db
    .selectFrom("outbox")
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .where("recipient", "=", recipient)
    .where("organization_id", "in", organizationIds)
    .where("created_at", ">", since)
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** First half of the lock's number: what of an address it is for. */
const CONFIRMATION_LOCK = 37;

/** Requests for consent to an address run one transaction after the other, or each would count without the others. */
export async function lockAddress(trx: Db, recipient: string): Promise<void> {
  if (!isPostgres(trx)) return;
  await sql`select pg_advisory_xact_lock(${sql.lit(CONFIRMATION_LOCK)}, hashtext(${recipient}))`.execute(trx);
}

/** How many requests for consent were sent since then: to this one by all, and to all by the organization. */
export async function countConfirmations(
  db: Db,
  { organizationId, recipient }: { organizationId: number; recipient: string },
  since: number,
): Promise<{ ofAddress: number; ofOrganization: number }> {
  const confirmations = db
    .selectFrom("outbox")
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .where("event", "=", CONFIRMATION)
    .where("created_at", ">", since);
  const address = await confirmations.where("recipient", "=", recipient).executeTakeFirstOrThrow();
  const own = await confirmations.where("organization_id", "=", organizationId).executeTakeFirstOrThrow();
  return { ofAddress: Number(address.count), ofOrganization: Number(own.count) };
}

/** A request for consent outlives the channel, which is to be deleted: repeating it is limited. */
export async function keepConfirmations(db: Db, channelIds: readonly number[]): Promise<void> {
  await db
    .updateTable("outbox")
    .set({ channel_id: null })
    .where(among(db, "channel_id", channelIds))
    .where("event", "=", CONFIRMATION)
    .execute();
}
