import type { SubscriberKind } from "../../page/subscriber/kinds.ts";
import type { Db } from "../db.ts";
import { readSubscriber, type Subscriber } from "./subscribers.ts";

/** Who had an address asked: a visitor of the page, or its owners. */
export type Asker = "visitor" | "list";

/** How many addresses were asked whether they want to be told. */
export interface AskedCounts {
  ofPage: number;
  ofAll: number;
}

/** A time of that length that ends now; what a clock that was ahead noted counts for no more than as long again. */
export interface Lately {
  now: number;
  forMs: number;
}

const askedLately = (db: Db, { now, forMs }: Lately) =>
  db
    .selectFrom("status_page_questions")
    .where("at", ">", now - forMs)
    .where("at", "<", now + forMs);

/** How many addresses such askers had asked lately: of the page, and of all pages. */
export async function countAsked(
  db: Db,
  { pageId, asker }: { pageId: number; asker: Asker },
  lately: Lately,
): Promise<AskedCounts> {
  const asked = askedLately(db, lately)
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .where("is_listed", "=", asker === "list" ? 1 : 0);
  const page = await asked.where("page_id", "=", pageId).executeTakeFirstOrThrow();
  const all = await asked.executeTakeFirstOrThrow();
  return { ofPage: Number(page.count), ofAll: Number(all.count) };
}

/** How often this address was asked lately, by the page and by all, whoever had it asked. */
export async function countAskedAddress(
  db: Db,
  { pageId, addressHash }: { pageId: number; addressHash: string },
  lately: Lately,
): Promise<AskedCounts> {
  const rows = await askedLately(db, lately)
    .select("page_id as pageId")
    .where("address_hash", "=", addressHash)
    .execute();
  return { ofPage: rows.filter((row) => row.pageId === pageId).length, ofAll: rows.length };
}

interface Question {
  organizationId: number;
  pageId: number;
  addressHash: string;
  asker: Asker;
}

/** Notes that an address is asked. */
export async function noteQuestion(
  trx: Db,
  { organizationId, pageId, addressHash, asker }: Question,
  now: number,
): Promise<void> {
  await trx
    .insertInto("status_page_questions")
    .values({
      ...{ organization_id: organizationId, page_id: pageId, address_hash: addressHash, at: now },
      is_listed: asker === "list" ? 1 : 0,
    })
    .execute();
}

/** How many addresses each organization has asked since then. */
export async function countAskedByOrganization(db: Db, since: number): Promise<Map<number, number>> {
  const rows = await db
    .selectFrom("status_page_questions")
    .select(({ fn }) => ["organization_id as id", fn.countAll<number>().as("count")])
    .where("at", ">", since)
    .groupBy("organization_id")
    .execute();
  return new Map(rows.map(({ id, count }) => [id, Number(count)]));
}

/** The pages with somebody who waits to be asked by one of these ways; of pages for members only nobody is told. */
export async function listPagesUnasked(
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
    .where("asked_at", "is", null)
    .where("kind", "in", kinds)
    .orderBy("page_id")
    .execute();
}

/** Who of a page waits longest to be asked, after that number; null: nobody. */
export async function nextUnasked(
  db: Db,
  { pageId, kinds, after }: { pageId: number; kinds: readonly SubscriberKind[]; after: number },
): Promise<number | null> {
  const row = await db
    .selectFrom("status_page_subscribers")
    .select("id")
    .where("page_id", "=", pageId)
    .where("state", "=", "waiting")
    .where("asked_at", "is", null)
    .where("kind", "in", kinds)
    .where("id", ">", after)
    .orderBy("id")
    .limit(1)
    .executeTakeFirst();
  return row?.id ?? null;
}

/** Who was asked with the token of that hash. */
export async function findAsked(
  db: Db,
  questionHash: string,
  how: { lock?: boolean } = {},
): Promise<Subscriber | null> {
  const row = await db
    .selectFrom("status_page_subscribers")
    .select("id")
    .where("question_hash", "=", questionHash)
    .executeTakeFirst();
  return row ? readSubscriber(db, row, how) : null;
}

/** Forgets who was asked before then and has not answered. */
export async function forgetUnanswered(db: Db, before: number): Promise<void> {
  await db
    .deleteFrom("status_page_subscribers")
    .where("state", "=", "waiting")
    .where("asked_at", "<", before)
    .execute();
}
