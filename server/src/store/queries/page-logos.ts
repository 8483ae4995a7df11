import type { Db } from "../db.ts";

/** A page's logo, as it was sent. */
export interface PageLogo {
  contentType: string;
  data: Uint8Array;
  /** Stands in its address. */
  hash: string;
}

/** Replaces a page's logo. */
export async function saveLogo(trx: Db, pageId: number, logo: PageLogo): Promise<void> {
  const row = { content_type: logo.contentType, data: logo.data, hash: logo.hash };
  await trx
    .insertInto("status_page_logos")
    .values({ page_id: pageId, ...row })
    .onConflict((conflict) => conflict.column("page_id").doUpdateSet(row))
    .execute();
}

/** Takes a page's logo away. */
export async function deleteLogo(trx: Db, pageId: number): Promise<void> {
  await trx.deleteFrom("status_page_logos").where("page_id", "=", pageId).execute();
}

/** A page's logo; null: it has none. */
export async function readLogo(db: Db, pageId: number): Promise<PageLogo | null> {
  const row = await db
    .selectFrom("status_page_logos")
    .select(["content_type as contentType", "data", "hash"])
    .where("page_id", "=", pageId)
    .executeTakeFirst();
  return row ?? null;
}
