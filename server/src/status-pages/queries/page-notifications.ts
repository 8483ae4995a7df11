import type { ExpressionBuilder } from "kysely";
import { insertMany } from "../../platform/database/bulk.ts";
import { PAGE_EVENT } from "../../platform/database/events.ts";
import type { Db, Schema } from "../../platform/database/schema.ts";
import { among, lockRows } from "../../platform/database/sql.ts";
import type { PageNotification } from "../subscriber/page-notification.ts";

/** An event to all servers about pages. */
export interface PageChange {
  slugs: string[];
  isStatusUpdate?: boolean;
}

/** Up to which subscriber it is in the outbox; null: all. */
export interface StoredPageNotification {
  id: number;
  organizationId: number;
  pageId: number;
  subject: string;
  event: string;
  content: PageNotification;
  at: number;
  notifiedUpTo: number | null;
}

export const insertPageNotifications = (
  trx: Db,
  page: { id: number; organizationId: number },
  notifications: readonly { uuid: string; content: PageNotification }[],
  now: number,
): Promise<void> =>
  insertMany(
    trx,
    "status_page_notifications",
    notifications.map(({ uuid, content }) => ({
      uuid,
      organization_id: page.organizationId,
      page_id: page.id,
      subject: (content.incident ?? content.maintenance)?.uuid ?? "",
      event: content.event,
      content: JSON.stringify(content),
      at: now,
      notified_up_to: 0,
    })),
  );

const columns = [
  "id",
  "organization_id as organizationId",
  "page_id as pageId",
  "subject",
  "event",
  "content",
  "at",
  "notified_up_to as notifiedUpTo",
] as const;

/** Null when it is gone. */
export async function readPageNotification(
  db: Db,
  id: number,
  { lock = false }: { lock?: boolean } = {},
): Promise<StoredPageNotification | null> {
  const query = db.selectFrom("status_page_notifications").select(columns).where("id", "=", id);
  const row = await (lock ? lockRows(db, query) : query).executeTakeFirst();
  return row ? { ...row, content: JSON.parse(row.content) as PageNotification } : null;
}

/** Oldest first. */
export async function listOpenPageNotifications(
  db: Db,
  limit: number,
  except: readonly number[],
): Promise<number[]> {
  const query = db
    .selectFrom("status_page_notifications")
    .select("id")
    .where("notified_up_to", "is not", null)
    .where(({ not }) => not(among(db, "id", except)));
  return (await query.orderBy("id").limit(limit).execute()).map(({ id }) => id);
}

/** Up to which subscriber; null: all. */
export async function markEventNotified(trx: Db, id: number, upTo: number | null): Promise<void> {
  const event = trx.updateTable("status_page_notifications").where("id", "=", id);
  await event.set({ notified_up_to: upTo }).execute();
}

/** Of the same subject to the same subscriber, oldest first. */
export interface SiblingNotification {
  id: number;
  isSent: boolean;
  isUnderWay: boolean;
}

export async function listSiblings(
  db: Db,
  { id, pageId, subject }: Pick<StoredPageNotification, "id" | "pageId" | "subject">,
  { subscriberId, now }: { subscriberId: number; now: number },
): Promise<SiblingNotification[]> {
  const rows = await db
    .selectFrom("status_page_notifications")
    .innerJoin("outbox", "outbox.page_notification_id", "status_page_notifications.id")
    .select(["status_page_notifications.id", "outbox.state", "outbox.leased_until as leasedUntil"])
    .where("status_page_notifications.page_id", "=", pageId)
    .where("status_page_notifications.subject", "=", subject)
    .where("status_page_notifications.id", "!=", id)
    .where("outbox.subscriber_id", "=", subscriberId)
    .orderBy("status_page_notifications.id")
    .execute();
  return rows.map(({ id: other, state, leasedUntil }) => ({
    ...{ id: other, isSent: state === "sent" },
    isUnderWay: state === "waiting" && leasedUntil !== null && leasedUntil > now,
  }));
}

/** After that number, in order. */
export async function listToNotify(
  db: Db,
  { pageId, after, limit }: { pageId: number; after: number; limit: number },
): Promise<{ id: number; components: string[] | null }[]> {
  const rows = await db
    .selectFrom("status_page_subscribers")
    .select(["id", "components"])
    .where("page_id", "=", pageId)
    .where("state", "=", "active")
    .where("id", ">", after)
    .orderBy("id")
    .limit(limit)
    .execute();
  return rows.map(({ id, components }) => ({
    id,
    components: components === null ? null : (JSON.parse(components) as string[]),
  }));
}

/**
 * Starts comparing these pages. Waits for a concurrent transaction that found a page without subscribers: its
 * row may be about to be deleted.
 */
export const watchPages = (
  trx: Db,
  pages: readonly { id: number; organizationId: number }[],
  now: number,
): Promise<void> =>
  insertMany(
    trx,
    "status_page_snapshots",
    pages.map(({ id, organizationId }) => ({
      ...{ page_id: id, organization_id: organizationId, snapshot: null, look_at: now },
    })),
    { keys: ["page_id"], update: ["organization_id"] },
  );

export async function hastenLooks(db: Db, organizationIds: readonly number[], now: number): Promise<void> {
  if (organizationIds.length === 0) return;
  await db
    .updateTable("status_page_snapshots")
    .set({ look_at: now })
    .where(among(db, "organization_id", organizationIds))
    .where("look_at", ">", now)
    .execute();
}

/** `furthest`: a later due time was written by a clock that was ahead. */
interface LookLimits {
  now: number;
  until: number;
  furthest: number;
  limit: number;
  except: readonly number[];
}

/** Reserves due pages until `until`, across processes. */
export async function claimLooks(
  trx: Db,
  { now, until, furthest, limit, except }: LookLimits,
): Promise<number[]> {
  const isDue = ({ eb, or }: ExpressionBuilder<Schema, "status_page_snapshots">) =>
    or([eb("look_at", "<=", now), eb("look_at", ">", furthest)]);
  const due = trx
    .selectFrom("status_page_snapshots")
    .select("page_id")
    .where(isDue)
    .where(({ not }) => not(among(trx, "page_id", except)));
  const rows = await trx
    .updateTable("status_page_snapshots")
    .set({ look_at: until })
    .where("page_id", "in", due.orderBy("look_at").limit(limit))
    .where(isDue)
    .returning("page_id")
    .execute();
  return rows.map(({ page_id }) => page_id);
}

/**
 * What was on the page at the last comparison, locked; null: no comparison yet. Undefined: no subscribers.
 */
export async function readKnownToSubscribers(trx: Db, pageId: number): Promise<string | null | undefined> {
  const query = trx.selectFrom("status_page_snapshots").select("snapshot").where("page_id", "=", pageId);
  return (await lockRows(trx, query).executeTakeFirst())?.snapshot;
}

export async function saveKnownToSubscribers(
  trx: Db,
  pageId: number,
  snapshot: string,
  lookAt: number,
): Promise<void> {
  await trx
    .updateTable("status_page_snapshots")
    .set({ snapshot, look_at: lookAt })
    .where("page_id", "=", pageId)
    .execute();
}

export async function unwatchPage(trx: Db, pageId: number): Promise<void> {
  await trx.deleteFrom("status_page_snapshots").where("page_id", "=", pageId).execute();
}

export async function listOrganizationsAfter(
  db: Db,
  eventId: number,
  types: readonly string[],
): Promise<number[]> {
  const rows = await db
    .selectFrom("events")
    .select("organization_id as id")
    .distinct()
    .where("id", ">", eventId)
    .where("type", "in", types)
    .execute();
  return rows.map(({ id }) => id);
}

/** Slugs of pages that changed, or whose contents did. */
export async function listChangedAfter(db: Db, eventId: number): Promise<string[]> {
  const rows = await db
    .selectFrom("events")
    .select("payload")
    .where("id", ">", eventId)
    .where("type", "=", PAGE_EVENT)
    .execute();
  const changes = rows.map(({ payload }) => JSON.parse(payload) as PageChange);
  // Updates have events of their own.
  return [...new Set(changes.flatMap(({ slugs, isStatusUpdate }) => (isStatusUpdate ? [] : slugs)))];
}

/** Those with subscribers. */
export async function hastenLooksAt(db: Db, slugs: readonly string[], now: number): Promise<void> {
  if (slugs.length === 0) return;
  await db
    .updateTable("status_page_snapshots")
    .set({ look_at: now })
    .where("page_id", "in", (select) =>
      select.selectFrom("status_pages").select("id").where("slug", "in", slugs),
    )
    .where("look_at", ">", now)
    .execute();
}
