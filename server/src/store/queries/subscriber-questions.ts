import type { SubscriberKind } from "../../page/subscriber/kinds.ts";
import type { Db } from "../db.ts";
import { readSubscriber, type Subscriber } from "./subscribers.ts";

/** How many addresses were asked whether they want to be told. */
export interface AskedCounts {
  ofPage: number;
  ofAll: number;
}

/** How many addresses were asked since then, by the page and by all pages. */
export async function countAsked(db: Db, pageId: number, since: number): Promise<AskedCounts> {
  const asked = db
    .selectFrom("status_page_questions")
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .where("at", ">", since);
  const page = await asked.where("page_id", "=", pageId).executeTakeFirstOrThrow();
  const all = await asked.executeTakeFirstOrThrow();
  return { ofPage: Number(page.count), ofAll: Number(all.count) };
}

/** How often this address was asked since then, by the page and by all. */
export async function countAskedAddress(
  db: Db,
  { pageId, addressHash }: { pageId: number; addressHash: string },
  since: number,
): Promise<AskedCounts> {
  const rows = await db
    .selectFrom("status_page_questions")
    .select("page_id as pageId")
    .where("address_hash", "=", addressHash)
    .where("at", ">", since)
    .execute();
  return { ofPage: rows.filter((row) => row.pageId === pageId).length, ofAll: rows.length };
}

/** Notes that an address is asked. */
export async function noteQuestion(
  trx: Db,
  { organizationId, pageId, addressHash }: { organizationId: number; pageId: number; addressHash: string },
  now: number,
): Promise<void> {
  await trx
    .insertInto("status_page_questions")
    .values({ organization_id: organizationId, page_id: pageId, address_hash: addressHash, at: now })
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

/** The pages with somebody who waits to be asked by one of these ways. */
export async function listPagesUnasked(
  db: Db,
  kinds: readonly SubscriberKind[],
): Promise<{ id: number; organizationId: number }[]> {
  return db
    .selectFrom("status_page_subscribers")
    .select(["page_id as id", "organization_id as organizationId"])
    .distinct()
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
