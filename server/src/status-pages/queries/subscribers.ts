import { type Selectable, type SelectQueryBuilder, sql } from "kysely";
import { insertMany } from "../../platform/database/bulk.ts";
import type { Db, Schema } from "../../platform/database/schema.ts";
import { idIn, isRef, type ListPart, lockRows, positionIn, type Ref } from "../../platform/database/sql.ts";
import type { StatusPageSubscriberTable } from "../../platform/database/tables/status-pages.ts";
import { type MessageDescriptor, messageJson, parseMessage } from "../../platform/i18n/message.ts";
import type { Language } from "../../platform/i18n/render.ts";
import type { SubscriberKind, SubscriberState } from "../subscriber/kinds.ts";

/** Times in milliseconds. */
export interface Subscriber {
  id: number;
  uuid: string;
  organizationId: number;
  pageId: number;
  kind: SubscriberKind;
  /** A mailbox, or a host. */
  address: string;
  addressHash: string;
  /** Encrypted; null for e-mail. */
  secrets: string | null;
  /** Uuids; null: all. */
  components: string[] | null;
  language: Language;
  state: SubscriberState;
  askedAt: number | null;
  confirmedAt: number | null;
  endedReason: MessageDescriptor | null;
  /** The user who added them; null: they subscribed themselves. */
  addedBy: number | null;
  createdAt: number;
}

const fromRow = (row: Selectable<StatusPageSubscriberTable>): Subscriber => ({
  id: row.id,
  uuid: row.uuid,
  organizationId: row.organization_id,
  pageId: row.page_id,
  kind: row.kind,
  address: row.address,
  addressHash: row.address_hash,
  secrets: row.secrets,
  components: row.components === null ? null : (JSON.parse(row.components) as string[]),
  language: row.language,
  state: row.state,
  askedAt: row.confirmation_requested_at,
  confirmedAt: row.confirmed_at,
  endedReason: parseMessage(row.ended_reason),
  addedBy: row.added_by_id,
  createdAt: row.created_at,
});

interface SubscriberFilter {
  pageId: number;
  kind?: SubscriberKind | undefined;
  state?: SubscriberState | undefined;
  /** Part of the address; ASCII letters in any case. */
  search?: string | undefined;
}

const filtered = (db: Db, { pageId, kind, state, search = "" }: SubscriberFilter) => {
  let query = db.selectFrom("status_page_subscribers").where("page_id", "=", pageId);
  if (kind) query = query.where("kind", "=", kind);
  if (state) query = query.where("state", "=", state);
  const wanted = search.trim().toLowerCase();
  return wanted === "" ? query : query.where(positionIn(db, sql<string>`address`, wanted), ">", 0);
};

/** Newest first. `before`: only those with lower numbers. */
export async function listSubscribers(
  db: Db,
  filter: SubscriberFilter,
  {
    limit,
    offset = 0,
    way = "desc",
    before,
  }: { limit: number; offset?: number; way?: ListPart["way"]; before?: number | undefined },
): Promise<Subscriber[]> {
  const query = filtered(db, filter)
    .selectAll()
    .$if(before !== undefined, (all) => all.where("id", "<", before ?? 0))
    .orderBy("id", way);
  return (await query.limit(limit).offset(offset).execute()).map(fromRow);
}

export async function countSubscribers(db: Db, filter: SubscriberFilter): Promise<number> {
  const { count } = await filtered(db, filter)
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .executeTakeFirstOrThrow();
  return Number(count);
}

type Subscribers = SelectQueryBuilder<Schema, "status_page_subscribers", object>;

const findOne = async (
  db: Db,
  { lock = false }: { lock?: boolean },
  which: (query: Subscribers) => Subscribers,
): Promise<Subscriber | null> => {
  const query = which(db.selectFrom("status_page_subscribers")).selectAll();
  const row = await (lock ? lockRows(db, query) : query).executeTakeFirst();
  return row ? fromRow(row as Selectable<StatusPageSubscriberTable>) : null;
};

/** Null when the page has none of that id. */
export const findSubscriber = (db: Db, pageId: number, ref: Ref, how: { lock?: boolean } = {}) =>
  findOne(db, how, (query) =>
    query.where("page_id", "=", pageId).where(isRef("status_page_subscribers", ref)),
  );

/** By number or uuid, of any page. */
export const readSubscriber = (db: Db, ref: Ref, how: { lock?: boolean } = {}) =>
  findOne(db, how, (query) => query.where(isRef("status_page_subscribers", ref)));

export const findSubscriberAt = (db: Db, pageId: number, addressHash: string, how: { lock?: boolean } = {}) =>
  findOne(db, how, (query) => query.where("page_id", "=", pageId).where("address_hash", "=", addressHash));

export async function listKnownAddresses(
  db: Db,
  pageId: number,
  hashes: readonly string[],
): Promise<Set<string>> {
  const rows = await db
    .selectFrom("status_page_subscribers")
    .select("address_hash")
    .where("page_id", "=", pageId)
    .where(idIn("address_hash", hashes))
    .execute();
  return new Set(rows.map(({ address_hash }) => address_hash));
}

type NewSubscriber = Omit<Subscriber, "id" | "askedAt" | "endedReason" | "createdAt">;

/** Existing addresses stay as they are. */
export const insertSubscribers = (
  trx: Db,
  subscribers: readonly NewSubscriber[],
  now: number,
): Promise<void> =>
  insertMany(
    trx,
    "status_page_subscribers",
    subscribers.map((each) => ({
      uuid: each.uuid,
      organization_id: each.organizationId,
      page_id: each.pageId,
      kind: each.kind,
      address: each.address,
      address_hash: each.addressHash,
      secrets: each.secrets,
      components: each.components && JSON.stringify(each.components),
      language: each.language,
      state: each.state,
      confirmed_at: each.confirmedAt,
      added_by_id: each.addedBy,
      created_at: now,
      updated_at: now,
    })),
    "nothing",
  );

export interface SubscriberChange {
  components?: readonly string[] | null;
  language?: Language;
  secrets?: string | null;
  state?: SubscriberState;
  confirmationHash?: string | null;
  askedAt?: number;
  confirmedAt?: number;
  endedReason?: MessageDescriptor | null;
}

export async function changeSubscriber(
  trx: Db,
  id: number,
  {
    components,
    language,
    secrets,
    state,
    confirmationHash,
    askedAt,
    confirmedAt,
    endedReason,
  }: SubscriberChange,
  now: number,
): Promise<void> {
  await trx
    .updateTable("status_page_subscribers")
    .set({
      ...(components !== undefined && { components: components && JSON.stringify(components) }),
      ...(language && { language }),
      ...(secrets !== undefined && { secrets }),
      ...(state && { state }),
      ...(confirmationHash !== undefined && { confirmation_hash: confirmationHash }),
      ...(askedAt !== undefined && { confirmation_requested_at: askedAt }),
      ...(confirmedAt !== undefined && { confirmed_at: confirmedAt }),
      ...(endedReason !== undefined && { ended_reason: endedReason && messageJson(endedReason) }),
      updated_at: now,
    })
    .where("id", "=", id)
    .execute();
}

/** With all that is waiting to be sent to them; false when they are gone. */
export async function deleteSubscriber(trx: Db, id: number): Promise<boolean> {
  await trx.deleteFrom("outbox").where("subscriber_id", "=", id).execute();
  const query = trx.deleteFrom("status_page_subscribers").where("id", "=", id);
  return (await query.executeTakeFirstOrThrow()).numDeletedRows > 0n;
}

/** Grouped by kind and components. */
interface SubscriberCount extends Pick<Subscriber, "pageId" | "kind" | "components"> {
  count: number;
}

export async function countActiveSubscribers(db: Db, pageIds: readonly number[]): Promise<SubscriberCount[]> {
  const rows = await db
    .selectFrom("status_page_subscribers")
    .select(({ fn }) => ["page_id as pageId", "kind", "components", fn.countAll<number>().as("count")])
    .where(idIn("page_id", pageIds))
    .where("state", "=", "active")
    .groupBy(["page_id", "kind", "components"])
    .execute();
  return rows.map(({ components, count, ...row }) => ({
    ...row,
    components: components === null ? null : (JSON.parse(components) as string[]),
    count: Number(count),
  }));
}

/** A visitor of the page, or its owners. */
export type Requester = "visitor" | "list";

interface RequestCounts {
  ofPage: number;
  ofAll: number;
}

/** A period that ends now; a time from a clock that was ahead counts for no longer than the period. */
interface Lately {
  now: number;
  forMs: number;
}

const recentRequests = (db: Db, { now, forMs }: Lately) =>
  db
    .selectFrom("status_page_confirmation_requests")
    .where("at", ">", now - forMs)
    .where("at", "<", now + forMs);

/** Of the page, and of all pages. */
export async function countRequests(
  db: Db,
  { pageId, requester }: { pageId: number; requester: Requester },
  lately: Lately,
): Promise<RequestCounts> {
  const requests = recentRequests(db, lately)
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .where("is_listed", "=", requester === "list" ? 1 : 0);
  const page = await requests.where("page_id", "=", pageId).executeTakeFirstOrThrow();
  const all = await requests.executeTakeFirstOrThrow();
  return { ofPage: Number(page.count), ofAll: Number(all.count) };
}

/** By the page and by all, of any origin. */
export async function countRequestsTo(
  db: Db,
  { pageId, addressHash }: { pageId: number; addressHash: string },
  lately: Lately,
): Promise<RequestCounts> {
  const rows = await recentRequests(db, lately)
    .select("page_id as pageId")
    .where("address_hash", "=", addressHash)
    .execute();
  return { ofPage: rows.filter((row) => row.pageId === pageId).length, ofAll: rows.length };
}

interface ConfirmationRequest {
  organizationId: number;
  pageId: number;
  addressHash: string;
  requester: Requester;
}

export async function recordRequest(
  trx: Db,
  { organizationId, pageId, addressHash, requester }: ConfirmationRequest,
  now: number,
): Promise<void> {
  await trx
    .insertInto("status_page_confirmation_requests")
    .values({
      ...{ organization_id: organizationId, page_id: pageId, address_hash: addressHash, at: now },
      is_listed: requester === "list" ? 1 : 0,
    })
    .execute();
}

export async function countRequestsByOrganization(db: Db, since: number): Promise<Map<number, number>> {
  const rows = await db
    .selectFrom("status_page_confirmation_requests")
    .select(({ fn }) => ["organization_id as id", fn.countAll<number>().as("count")])
    .where("at", ">", since)
    .groupBy("organization_id")
    .execute();
  return new Map(rows.map(({ id, count }) => [id, Number(count)]));
}

/** Pages with a subscriber of these kinds who waits for a request; pages for members send none. */
export async function listPagesAwaitingRequests(
  db: Db,
  kinds: readonly SubscriberKind[],
): Promise<{ id: number; organizationId: number }[]> {
  return db
    .selectFrom("status_page_subscribers")
    .innerJoin("status_pages", "status_pages.id", "page_id")
    .select(["page_id as id", "status_pages.organization_id as organizationId"])
    .distinct()
    .where("is_public", "=", 1)
    .where("state", "=", "waiting")
    .where("confirmation_requested_at", "is", null)
    .where("kind", "in", kinds)
    .orderBy("page_id")
    .execute();
}

/** The one who waits longest, after that number; null: none. */
export async function nextAwaitingRequest(
  db: Db,
  { pageId, kinds, after }: { pageId: number; kinds: readonly SubscriberKind[]; after: number },
): Promise<number | null> {
  const row = await db
    .selectFrom("status_page_subscribers")
    .select("id")
    .where("page_id", "=", pageId)
    .where("state", "=", "waiting")
    .where("confirmation_requested_at", "is", null)
    .where("kind", "in", kinds)
    .where("id", ">", after)
    .orderBy("id")
    .limit(1)
    .executeTakeFirst();
  return row?.id ?? null;
}

export async function findByConfirmation(
  db: Db,
  confirmationHash: string,
  how: { lock?: boolean } = {},
): Promise<Subscriber | null> {
  const row = await db
    .selectFrom("status_page_subscribers")
    .select("id")
    .where("confirmation_hash", "=", confirmationHash)
    .executeTakeFirst();
  return row ? readSubscriber(db, row, how) : null;
}

/** Deletes subscribers whose request was sent before then and is unanswered. */
export async function forgetUnanswered(db: Db, before: number): Promise<void> {
  await db
    .deleteFrom("status_page_subscribers")
    .where("state", "=", "waiting")
    .where("confirmation_requested_at", "<", before)
    .execute();
}
