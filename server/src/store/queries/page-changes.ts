import type { PageChange } from "../../notification/announce-page.ts";
import type { Db } from "../db.ts";
import { PAGE_EVENT } from "./events.ts";

/** The slugs of the pages that somebody changed, or changed what they show of, after that event. */
export async function listChangedAfter(db: Db, eventId: number): Promise<string[]> {
  const rows = await db
    .selectFrom("events")
    .select("payload")
    .where("id", ">", eventId)
    .where("type", "=", PAGE_EVENT)
    .execute();
  const changes = rows.map(({ payload }) => JSON.parse(payload) as PageChange);
  // News are events of their own, of the organization.
  return [...new Set(changes.flatMap(({ slugs, isNews }) => (isNews ? [] : slugs)))];
}

/** Has the pages of these slugs looked at now, as far as anybody is told of them. */
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
