import type { Db } from "../db.ts";
import { findPageBySlug, type StatusPage } from "./status-pages.ts";

/** Of one page; those that it gave up first are free. */
const MAX_OF_ONE = 20;

/** A page that had another slug before. */
interface PageSince {
  pageId: number;
  uuid: string;
  organizationId: number;
  name: string;
  /** Its slug now. */
  present: string;
}

/** The page that had this slug before; null: none had, or another page has it now. */
export async function findPageSince(db: Db, former: string): Promise<PageSince | null> {
  const row = await db
    .selectFrom("status_page_former_slugs as former")
    .innerJoin("status_pages as page", "page.id", "former.page_id")
    .select(["page.id as pageId", "page.uuid", "page.organization_id as organizationId", "page.name"])
    .select("page.slug as present")
    .where("former.slug", "=", former)
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom("status_pages").select("id").where("slug", "=", former))),
    )
    .executeTakeFirst();
  return row ?? null;
}

/** The page with that slug, else the one that had it before. */
export async function findPageAt(db: Db, slug: string): Promise<StatusPage | null> {
  const page = await findPageBySlug(db, slug);
  if (page) return page;
  const since = await findPageSince(db, slug);
  return since === null ? null : findPageBySlug(db, since.present);
}

/** Whoever had this slug before is no more found at it. */
export async function freeFormerSlug(trx: Db, slug: string): Promise<void> {
  await trx.deleteFrom("status_page_former_slugs").where("slug", "=", slug).execute();
}

/** From now on the page is found at this slug, too, which it has given up. */
export async function keepFormerSlug(
  trx: Db,
  { id, organizationId, slug }: { id: number; organizationId: number; slug: string },
  now: number,
): Promise<void> {
  await freeFormerSlug(trx, slug);
  const row = { slug, organization_id: organizationId, page_id: id, given_up_at: now };
  await trx.insertInto("status_page_former_slugs").values(row).execute();
  await trx
    .deleteFrom("status_page_former_slugs")
    .where("page_id", "=", id)
    .where("slug", "not in", (select) =>
      select
        .selectFrom("status_page_former_slugs")
        .select("slug")
        .where("page_id", "=", id)
        .orderBy("given_up_at", "desc")
        .orderBy("slug")
        .limit(MAX_OF_ONE),
    )
    .execute();
}
