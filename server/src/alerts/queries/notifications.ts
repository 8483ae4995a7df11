import { sql } from "kysely";
import { type OutageKey, outageKey } from "../../incidents/queries/affected-services.ts";
import { insertMany } from "../../platform/database/bulk.ts";
import type { Db } from "../../platform/database/schema.ts";
import { among, idIn, isRef, type ListPart, type Ref } from "../../platform/database/sql.ts";
import { type MessageDescriptor, messageJson, parseMessage } from "../../platform/i18n/message.ts";
import type { MonitorKind } from "../../platform/monitor-defaults.ts";
import type { NotificationType } from "../event-rules.ts";
import { isNotifiedByAnother, isOfGroup } from "./claim-deliveries.ts";

/** One notification. */
export interface NewNotification {
  uuid: string;
  organizationId: number;
  monitorId: number | null;
  incidentId: number | null;
  /** e.g. `monitor.down`. */
  event: string;
  type: NotificationType;
  message: string;
  /** What the message says. */
  descriptor: MessageDescriptor;
  /** When the outage began that it is about, milliseconds; null: it is about none. */
  outageStartedAt: number | null;
  /** What is said of all that share the incident; null: it is about its monitor alone. */
  togetherMessage: MessageDescriptor | null;
  /** The cause: reporting it again sends no second notification. */
  idempotencyKey: string;
  createdAt: number;
}

/** Writes those whose cause was not notified yet. */
export async function insertNotifications(trx: Db, notifications: readonly NewNotification[]): Promise<void> {
  await insertMany(
    trx,
    "notifications",
    notifications.map((each) => ({
      uuid: each.uuid,
      organization_id: each.organizationId,
      monitor_id: each.monitorId,
      incident_id: each.incidentId,
      event: each.event,
      type: each.type,
      message: each.message,
      descriptor: messageJson(each.descriptor),
      outage_started_at: each.outageStartedAt,
      together_message: messageJson(each.togetherMessage),
      idempotency_key: each.idempotencyKey,
      created_at: each.createdAt,
    })),
    "nothing",
  );
}

/** Which of these were written: the others' cause had been notified. */
export async function listKnownNotifications(trx: Db, uuids: readonly string[]): Promise<Set<string>> {
  const rows = await trx.selectFrom("notifications").select("uuid").where(idIn("uuid", uuids)).execute();
  return new Set(rows.map(({ uuid }) => uuid));
}

/** The messages about these outages when they began, by `outageKey`. */
export async function listOutageMessages(
  trx: Db,
  outages: readonly OutageKey[],
): Promise<Map<string, MessageDescriptor>> {
  const times = outages.map(({ startedAt }) => startedAt);
  const rows = await trx
    .selectFrom("notifications")
    .select(["monitor_id as monitorId", "outage_started_at as startedAt", "descriptor"])
    .where(
      among(
        trx,
        "monitor_id",
        outages.map(({ monitorId }) => monitorId),
      ),
    )
    // As the index notifications_outages says it.
    .where(sql<boolean>`event = 'monitor.down'`)
    .where("outage_started_at", ">=", Math.min(...times))
    .where("outage_started_at", "<=", Math.max(...times))
    .where("descriptor", "is not", null)
    .$narrowType<{ monitorId: number; startedAt: number; descriptor: string }>()
    .execute();
  return new Map(rows.map((row) => [outageKey(row), JSON.parse(row.descriptor) as MessageDescriptor]));
}

/** A user, where they act. */
interface Reader {
  userId: number;
  organizationId: number;
}

/** One notification, as one user has it. Times in milliseconds. */
export interface ReadNotification {
  id: number;
  uuid: string;
  event: string;
  type: NotificationType;
  message: string;
  /** What the message says; null in those of older versions. */
  descriptor: MessageDescriptor | null;
  /** Null: about none, or about one that is deleted. */
  monitorId: number | null;
  monitorKind: MonitorKind | null;
  incidentId: number | null;
  isRead: boolean;
  createdAt: number;
  /** What was said of all that share the incident; null: it was about its monitor alone. */
  togetherMessage: MessageDescriptor | null;
  /** Where they are grouped: the monitor shares the incident with others. */
  isOfGroup: boolean;
}

/** Which of an organization's notifications. `grouped`: without those for which another one speaks (claim-deliveries.ts). */
interface NotificationFilter {
  grouped: boolean;
}

/** The organization's notifications, newest first. Those from before a member joined pass for read. */
export async function listNotifications(
  db: Db,
  reader: Reader,
  { limit, offset, way, grouped }: NotificationFilter & ListPart,
): Promise<ReadNotification[]> {
  const rows = await ofOrganization(db, reader.organizationId, grouped)
    .leftJoin("monitors", (join) =>
      join.onRef("monitors.id", "=", "notifications.monitor_id").on("monitors.deleted_at", "is", null),
    )
    .select([
      "notifications.id",
      "notifications.uuid",
      "notifications.event",
      "notifications.type",
      "notifications.message",
      "notifications.descriptor",
      "notifications.together_message as togetherMessage",
      "monitors.id as monitorId",
      "monitors.kind as monitorKind",
      "notifications.incident_id as incidentId",
      "notifications.created_at as createdAt",
    ])
    .select(sql<number>`case when ${grouped ? isOfGroup : sql`1 = 0`} then 1 else 0 end`.as("ofGroup"))
    .orderBy("notifications.id", way)
    .limit(limit)
    .offset(offset)
    .execute();
  const isRead = await readsOf(
    db,
    reader,
    rows.map(({ id }) => id),
  );
  return rows.map(({ ofGroup, ...row }) => ({
    ...row,
    isOfGroup: ofGroup === 1,
    type: row.type as NotificationType,
    descriptor: parseMessage(row.descriptor),
    togetherMessage: parseMessage(row.togetherMessage),
    isRead: isRead(row),
  }));
}

/** How many there are. */
export async function countNotifications(
  db: Db,
  organizationId: number,
  { grouped }: NotificationFilter,
): Promise<number> {
  const { count } = await ofOrganization(db, organizationId, grouped)
    .select((select) => select.fn.countAll().as("count"))
    .executeTakeFirstOrThrow();
  return Number(count);
}

function ofOrganization(db: Db, organizationId: number, grouped: boolean) {
  const all = db.selectFrom("notifications").where("notifications.organization_id", "=", organizationId);
  return grouped ? all.where(sql<boolean>`not ${isNotifiedByAnother}`) : all;
}

/** How many of the organization's newest notifications, `among` so many, the person has not read. */
export async function countUnread(
  db: Db,
  { userId, organizationId }: Reader,
  { among, grouped }: NotificationFilter & { among: number },
): Promise<number> {
  const readUpTo = db
    .selectFrom("notification_reads")
    .select(({ fn }) => fn.coalesce(fn.max("notification_id"), sql<number>`0`).as("id"))
    .where("user_id", "=", userId)
    .where("organization_id", "=", organizationId)
    .where("and_older", "=", 1);
  const newest = ofOrganization(db, organizationId, grouped)
    .select(["notifications.id", "notifications.created_at"])
    .where("notifications.id", ">", readUpTo)
    .orderBy("notifications.id", "desc")
    .limit(among);
  const { count } = await db
    .selectFrom(newest.as("newest"))
    .leftJoin("notification_reads", (join) =>
      join
        .onRef("notification_reads.notification_id", "=", "newest.id")
        .on("notification_reads.user_id", "=", userId),
    )
    .leftJoin("memberships", (join) =>
      join.on("memberships.user_id", "=", userId).on("memberships.organization_id", "=", organizationId),
    )
    .select(({ fn }) => fn.countAll().as("count"))
    .where("notification_reads.notification_id", "is", null)
    .where((is) => is("newest.created_at", ">=", is.fn.coalesce("memberships.created_at", sql<number>`0`)))
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** Marks notifications of these ids as read, or unread, by the user. */
async function readsOf(db: Db, { userId, organizationId }: Reader, ids: readonly number[]) {
  const marks = await db
    .selectFrom("notification_reads")
    .select(["notification_id as id", "and_older as andOlder"])
    .where("user_id", "=", userId)
    .where("organization_id", "=", organizationId)
    .where((is) => is.or([is("and_older", "=", 1), is("notification_id", "in", [0, ...ids])]))
    .execute();
  const membership = await db
    .selectFrom("memberships")
    .select("created_at as joinedAt")
    .where("user_id", "=", userId)
    .where("organization_id", "=", organizationId)
    .executeTakeFirst();
  const single = new Set(marks.map(({ id }) => id));
  const upTo = Math.max(0, ...marks.filter(({ andOlder }) => andOlder).map(({ id }) => id));
  const joinedAt = membership?.joinedAt ?? 0;
  return ({ id, createdAt }: { id: number; createdAt: number }): boolean =>
    id <= upTo || single.has(id) || createdAt < joinedAt;
}

/** The id of one of the organization's notifications; undefined when it is unknown there. */
export async function findNotificationId(
  db: Db,
  organizationId: number,
  ref: Ref,
): Promise<number | undefined> {
  const query = db.selectFrom("notifications").select("id").where("organization_id", "=", organizationId);
  return (await query.where(isRef("notifications", ref)).executeTakeFirst())?.id;
}

/** The person has read this one; again changes nothing. */
export async function markRead(db: Db, reader: Reader, id: number, now: number): Promise<void> {
  await db
    .insertInto("notification_reads")
    .values(markOf(reader, id, 0, now))
    .onConflict((conflict) => conflict.columns(["notification_id", "user_id"]).doNothing())
    .execute();
}

/** By then a transaction that wrote one has ended: until then, one with a lower number may still come. */
const COMMITTED_AFTER_MS = 60_000;

/** The person has read all that there are now. One row says it of what is a minute old, in the place of those that said a part of it. */
export async function markAllRead(db: Db, reader: Reader, now: number): Promise<void> {
  const { organizationId } = reader;
  const newestCommitted = await db
    .selectFrom("notifications")
    .select("id")
    .where("organization_id", "=", organizationId)
    .where("created_at", "<=", now - COMMITTED_AFTER_MS)
    .orderBy("id", "desc")
    .limit(1)
    .executeTakeFirst();
  if (newestCommitted) await markReadUpTo(db, reader, newestCommitted.id, now);
  const recent = await db
    .selectFrom("notifications")
    .select("id")
    .where("organization_id", "=", organizationId)
    .where("id", ">", newestCommitted?.id ?? 0)
    .execute();
  const marks = recent.map(({ id }) => markOf(reader, id, 0, now));
  await insertMany(db, "notification_reads", marks, "nothing");
}

async function markReadUpTo(db: Db, reader: Reader, id: number, now: number): Promise<void> {
  await db
    .insertInto("notification_reads")
    .values(markOf(reader, id, 1, now))
    .onConflict((conflict) => conflict.columns(["notification_id", "user_id"]).doUpdateSet({ and_older: 1 }))
    .execute();
  await db
    .deleteFrom("notification_reads")
    .where("user_id", "=", reader.userId)
    .where("organization_id", "=", reader.organizationId)
    .where("notification_id", "<", id)
    .execute();
}

const markOf = ({ userId, organizationId }: Reader, id: number, andOlder: 0 | 1, now: number) => ({
  notification_id: id,
  user_id: userId,
  organization_id: organizationId,
  and_older: andOlder,
  read_at: now,
});
