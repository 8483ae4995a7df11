import type { Db } from "../db.ts";
import { idIn } from "../dialect.ts";

/** The slugs of the status pages that show any of these monitors. */
export async function listSlugsShowing(db: Db, monitorIds: readonly number[]): Promise<string[]> {
  const rows = await db
    .selectFrom("status_pages")
    .select("slug")
    .where("id", "in", (select) =>
      select.selectFrom("status_page_components").select("page_id").where(idIn("monitor_id", monitorIds)),
    )
    .execute();
  return rows.map(({ slug }) => slug);
}

/** The uuids of pages, by their numbers; those that are gone are left out. */
export async function findPageUuids(db: Db, ids: readonly number[]): Promise<Map<number, string>> {
  if (ids.length === 0) return new Map();
  const rows = await db.selectFrom("status_pages").select(["id", "uuid"]).where(idIn("id", ids)).execute();
  return new Map(rows.map(({ id, uuid }) => [id, uuid] as const));
}

/** The organization's pages of these uuids, by them. */
export async function findPageIds(
  db: Db,
  organizationId: number,
  uuids: readonly string[],
): Promise<Map<string, number>> {
  if (uuids.length === 0) return new Map();
  const query = db.selectFrom("status_pages").select(["id", "uuid"]);
  const rows = await query.where("organization_id", "=", organizationId).where("uuid", "in", uuids).execute();
  return new Map(rows.map(({ id, uuid }) => [uuid, id] as const));
}
