import { announcePage } from "../notification/announce-page.ts";
import { type StatusPage, touchPage } from "../store/queries/status-pages.ts";
import type { Running } from "../verb/verb.ts";

type Named = Pick<StatusPage, "slug" | "name">;

/**
 * What every change of a page, or of what it shows, ends with: its time, the audit row, and that nobody gets what was there
 * before. `as`: how it is called from now on.
 */
export async function pageChanged(
  ctx: Running,
  page: Named & Pick<StatusPage, "id">,
  as: Named = page,
): Promise<void> {
  await touchPage(ctx.db, page.id, ctx.clock.now());
  announcePage(ctx, [page.slug, as.slug]);
  ctx.record({ id: page.id, name: as.name });
}
