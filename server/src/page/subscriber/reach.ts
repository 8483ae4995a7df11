import type { Context } from "../../context.ts";
import type { Db } from "../../store/db.ts";
import type { PageComponent } from "../../store/queries/status-page-components.ts";
import type { StatusPage } from "../../store/queries/status-pages.ts";
import { countActiveSubscribers } from "../../store/queries/subscribers.ts";
import { kindsOffered } from "./channel/registry.ts";
import { isConcerned } from "./news.ts";

/** How many subscribers news of these components of each page reach, by the page's number; where there are none, it is not there. */
export async function readReach(
  db: Db,
  config: Context["config"],
  shown: readonly { page: StatusPage; components: readonly PageComponent[] }[],
): Promise<Map<number, number>> {
  const open = new Map(
    shown.flatMap(({ page, components }) =>
      page.isPublic ? [[page.id, components.map(({ uuid }) => uuid)] as const] : [],
    ),
  );
  const kinds = new Set(kindsOffered(config));
  const reach = new Map<number, number>();
  if (open.size === 0 || kinds.size === 0) return reach;
  for (const { pageId, kind, components, count } of await countActiveSubscribers(db, [...open.keys()])) {
    if (kinds.has(kind) && isConcerned(open.get(pageId) ?? [], components))
      reach.set(pageId, (reach.get(pageId) ?? 0) + count);
  }
  return reach;
}
