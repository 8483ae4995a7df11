import type { ExpressionBuilder } from "kysely";
import { insertMany } from "../../platform/database/bulk.ts";
import type { Db } from "../../platform/database/db.ts";
import { among, lockRows } from "../../platform/database/dialect.ts";
import { PAGE_EVENT } from "../../platform/database/events.ts";
import type { Schema } from "../../platform/database/schema.ts";
import type { PageNotification } from "../subscriber/page-notification.ts";

/** An event to all servers about pages. */
export interface PageChange {
  slugs: string[];
  isNews?: boolean;
}

/** What is sent to a page's subscribers, and up to which of them it is in the outbox; null: all. */
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

/** Adds updates, of which no subscriber was notified yet. */
export const insertPageNotifications = (
  trx: Db,
  page: { id: number; organizationId: number },
  notifications: readonly { uuid: string; content: PageNotification }[],
  now: number,
): Promise<void> =>
  insertMany(
    trx,
    "status_page_news",
    notifications.map(({ uuid, content }) => ({
      uuid,
      organization_id: page.organizationId,
      page_id: page.id,
      subject: (content.incident ?? content.maintenance)?.uuid ?? "",
      event: content.event,
      content: JSON.stringify(content),
      at: now,
      told_to: 0,
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
  "told_to as notifiedUpTo",
] as const;

/** The update of that number; null when it is gone. */
export async function readPageNotification(
  db: Db,
  id: number,
  { lock = false }: { lock?: boolean } = {},
): Promise<StoredPageNotification | null> {
  const query = db.selectFrom("status_page_news").select(columns).where("id", "=", id);
  const row = await (lock ? lockRows(db, query) : query).executeTakeFirst();
  return row ? { ...row, content: JSON.parse(row.content) as PageNotification } : null;
}

/** The oldest updates that are not in the outbox for all subscribers yet, without some. */
export async function listOpenPageNotifications(
  db: Db,
  limit: number,
  except: readonly number[],
): Promise<number[]> {
  const query = db
    .selectFrom("status_page_news")
    .select("id")
    .where("told_to", "is not", null)
    .where(({ not }) => not(among(db, "id", except)));
  return (await query.orderBy("id").limit(limit).execute()).map(({ id }) => id);
}

/** Records up to which subscriber updates are in the outbox; null: all. */
export async function markEventNotified(trx: Db, id: number, told_to: number | null): Promise<void> {
  await trx.updateTable("status_page_news").set({ told_to }).where("id", "=", id).execute();
}

/** What else of the same thing the same subscriber was sent, or is to be sent, oldest first. */
export interface SiblingNotification {
  id: number;
  isSent: boolean;
  /** A process is sending it at that moment. */
  isUnderWay: boolean;
}

/** Those of one subscriber. */
export async function listSiblings(
  db: Db,
  { id, pageId, subject }: Pick<StoredPageNotification, "id" | "pageId" | "subject">,
  { subscriberId, now }: { subscriberId: number; now: number },
): Promise<SiblingNotification[]> {
  const rows = await db
    .selectFrom("status_page_news")
    .innerJoin("outbox", "outbox.news_id", "status_page_news.id")
    .select(["status_page_news.id", "outbox.state", "outbox.leased_until as leasedUntil"])
    .where("status_page_news.page_id", "=", pageId)
    .where("status_page_news.subject", "=", subject)
    .where("status_page_news.id", "!=", id)
    .where("outbox.subscriber_id", "=", subscriberId)
    .orderBy("status_page_news.id")
    .execute();
  return rows.map(({ id: other, state, leasedUntil }) => ({
    ...{ id: other, isSent: state === "sent" },
    isUnderWay: state === "waiting" && leasedUntil !== null && leasedUntil > now,
  }));
}

/** The page's subscribers to notify, after that number, in order. */
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
 * Has these pages looked at for their subscribers, from now on. Whoever finds at that moment that nobody is told of one of them
 * is waited for: the row that is there may be about to go.
 */
export const watchPages = (
  trx: Db,
  pages: readonly { id: number; organizationId: number }[],
  now: number,
): Promise<void> =>
  insertMany(
    trx,
    "status_page_told",
    pages.map(({ id, organizationId }) => ({
      ...{ page_id: id, organization_id: organizationId, told: null, look_at: now },
    })),
    { keys: ["page_id"], update: ["organization_id"] },
  );

/** Has the pages of these organizations looked at now. */
export async function hastenLooks(db: Db, organizationIds: readonly number[], now: number): Promise<void> {
  if (organizationIds.length === 0) return;
  await db
    .updateTable("status_page_told")
    .set({ look_at: now })
    .where(among(db, "organization_id", organizationIds))
    .where("look_at", ">", now)
    .execute();
}

/** Which pages are looked at. `furthest`: what is to wait for longer was written by a clock that was ahead. */
interface LookLimits {
  now: number;
  until: number;
  furthest: number;
  limit: number;
  except: readonly number[];
}

/** The pages that are due for a comparison, without some; no other process takes them before `until`. */
export async function claimLooks(
  trx: Db,
  { now, until, furthest, limit, except }: LookLimits,
): Promise<number[]> {
  const isDue = ({ eb, or }: ExpressionBuilder<Schema, "status_page_told">) =>
    or([eb("look_at", "<=", now), eb("look_at", ">", furthest)]);
  const due = trx
    .selectFrom("status_page_told")
    .select("page_id")
    .where(isDue)
    .where(({ not }) => not(among(trx, "page_id", except)));
  const rows = await trx
    .updateTable("status_page_told")
    .set({ look_at: until })
    .where("page_id", "in", due.orderBy("look_at").limit(limit))
    .where(isDue)
    .returning("page_id")
    .execute();
  return rows.map(({ page_id }) => page_id);
}

/** What was on a page at the last comparison, locked; null: not yet. Undefined: it has no subscribers. */
export async function readKnownToSubscribers(trx: Db, pageId: number): Promise<string | null | undefined> {
  const query = trx.selectFrom("status_page_told").select("told").where("page_id", "=", pageId);
  return (await lockRows(trx, query).executeTakeFirst())?.told;
}

/** Keeps that, and when it is to be looked at again. */
export async function saveKnownToSubscribers(
  trx: Db,
  pageId: number,
  told: string,
  lookAt: number,
): Promise<void> {
  await trx
    .updateTable("status_page_told")
    .set({ told, look_at: lookAt })
    .where("page_id", "=", pageId)
    .execute();
}

/** The page has no subscribers any more. */
export async function unwatchPage(trx: Db, pageId: number): Promise<void> {
  await trx.deleteFrom("status_page_told").where("page_id", "=", pageId).execute();
}

/** The organizations to which something of these types happened after that event. */
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

/** The slugs of the pages that were changed, or of which what they show was, after that event. */
export async function listChangedAfter(db: Db, eventId: number): Promise<string[]> {
  const rows = await db
    .selectFrom("events")
    .select("payload")
    .where("id", ">", eventId)
    .where("type", "=", PAGE_EVENT)
    .execute();
  const changes = rows.map(({ payload }) => JSON.parse(payload) as PageChange);
  // Updates are events of their own, of the organization.
  return [...new Set(changes.flatMap(({ slugs, isNews }) => (isNews ? [] : slugs)))];
}

/** Makes the pages of these slugs due now, where they have subscribers. */
export async function hastenLooksAt(db: Db, slugs: readonly string[], now: number): Promise<void> {
  if (slugs.length === 0) return;
  await db
    .updateTable("status_page_told")
    .set({ look_at: now })
    .where("page_id", "in", (select) =>
      select.selectFrom("status_pages").select("id").where("slug", "in", slugs),
    )
    .where("look_at", ">", now)
    .execute();
}
