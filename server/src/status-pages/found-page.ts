import type { Static } from "typebox";
import type { ChangingPages, StatusPages } from "../monitors/announce-change.ts";
import { findAnywhere, mayRead } from "../platform/access/check-access.ts";
import { ownHostOf } from "../platform/config-values.ts";
import type { Context } from "../platform/context.ts";
import {
  appendEvents,
  INTERNAL_ORGANIZATION,
  type NewEvent,
  PAGE_EVENT,
} from "../platform/database/events.ts";
import type { Db } from "../platform/database/schema.ts";
import { findOwner } from "../platform/database/sql.ts";
import { notFound } from "../platform/errors.ts";
import { parseId } from "../platform/operations/field.ts";
import type { Before, Running } from "../platform/operations/operation.ts";
import type { PageCache } from "./document/page-cache.ts";
import { pageUrl } from "./page-url.ts";
import { listDomains } from "./queries/page-domains.ts";
import type { PageChange } from "./queries/page-notifications.ts";
import { listComponents, listGroups, type PageComponent } from "./queries/status-page-components.ts";
import {
  findPage,
  listSlugsShowing,
  type StatusPage,
  type StatusPage as StoredPage,
  touchPage,
} from "./queries/status-pages.ts";
import {
  projectComponent,
  projectPage,
  type StatusPage as StatusPageSchema,
} from "./schemas/status-pages.ts";

/** For a verb's `find`: wherever the caller may act. Throws 404. */
export const findPageMeant = (ctx: Before, { id }: { id: string }) => {
  const { db } = ctx.store;
  const ref = parseId(id);
  const find = (organizationId: number) => findPage(db, organizationId, ref);
  return findAnywhere(ctx, find, () => findOwner(db, "status_pages", ref));
};

/** Locked for a change. Throws 404 if it has been deleted since. */
export async function rereadPage({ db, caller }: Running, { id }: StoredPage): Promise<StoredPage> {
  const page = await findPage(db, caller.organizationId, { id }, { lock: true });
  if (!page) throw notFound();
  return page;
}

export async function showPages(
  ctx: Running,
  pages: readonly StoredPage[],
): Promise<Static<typeof StatusPageSchema>[]> {
  const ids = pages.map(({ id }) => id);
  const groups = Map.groupBy(await listGroups(ctx.db, ids), ({ pageId }) => pageId);
  const components = Map.groupBy(await listComponents(ctx.db, ids), ({ pageId }) => pageId);
  const claims = new Map((await listDomains(ctx.db, ids)).map((claim) => [claim.pageId, claim]));
  const { publicUrl } = ctx.config;
  const ownHost = ownHostOf(publicUrl);
  return pages.map((page) =>
    projectPage(page, {
      ...{ url: pageUrl(page, publicUrl), claim: claims.get(page.id), ownHost },
      groups: groups.get(page.id) ?? [],
      components: (components.get(page.id) ?? []).map((one) => showComponent(ctx, one)),
    }),
  );
}

/** Throws 404 if it has been deleted since. */
export async function showPage(
  ctx: Running,
  { id }: { id: number },
): Promise<Static<typeof StatusPageSchema>> {
  const page = await findPage(ctx.db, ctx.caller.organizationId, { id });
  const [shown] = page ? await showPages(ctx, [page]) : [];
  if (!shown) throw notFound();
  return shown;
}

/** With the monitor where the reader may read it. */
export const showComponent = (ctx: Running, component: PageComponent) =>
  projectComponent(component, mayRead(ctx)(component));

type Named = Pick<StatusPage, "slug" | "name">;

/** Ends every change of a page or its contents: its time, the audit row, the caches. `as`: its new name. */
export async function pageChanged(
  ctx: Running,
  page: Named & Pick<StatusPage, "id">,
  as: Named = page,
): Promise<void> {
  await touchPage(ctx.db, page.id, ctx.clock.now());
  announcePage(ctx, [page.slug, as.slug]);
  ctx.record({ id: page.id, name: as.name });
}

/**
 * Has every server read the pages of these slugs again once the change is committed; the previous version is no longer served.
 */
export function announcePage({ db, clock, live, after }: ChangingPages, slugs: readonly string[]): void {
  appendEvents(db, [pageEvent({ slugs: [...new Set(slugs)] })], clock.now());
  after(() => live.wake());
}

/** Has every server read the pages again that show something new about these monitors: the events, for what writes the event log itself. */
export async function pageEvents(trx: Db, monitorIds: readonly number[]): Promise<NewEvent[]> {
  const slugs = monitorIds.length === 0 ? [] : await listSlugsShowing(trx, monitorIds);
  return slugs.length === 0 ? [] : [pageEvent({ slugs, isStatusUpdate: true })];
}

const pageEvent = (change: PageChange): NewEvent => ({
  ...{ organizationId: INTERNAL_ORGANIZATION, type: PAGE_EVENT, payload: { ...change } },
});

/** Called by what changes monitors and incidents. */
export const statusPages: StatusPages = {
  async renew(ctx, monitorIds) {
    appendEvents(ctx.db, await pageEvents(ctx.db, monitorIds), ctx.clock.now());
    ctx.after(() => ctx.live.wake());
  },
  async forget(ctx, monitorIds) {
    const slugs = await listSlugsShowing(ctx.db, monitorIds);
    if (slugs.length > 0) announcePage(ctx, slugs);
  },
};

interface PageCaches {
  pages: Pick<PageCache, "forget" | "renew">;
  hosts: { renew(): void };
}

/** Changes that any server announces. */
export function followPageChanges(live: Context["live"], { pages, hosts }: PageCaches): void {
  live.onEvent?.(PAGE_EVENT, (payload) => {
    const { slugs, isStatusUpdate } = payload as unknown as PageChange;
    slugs.forEach(isStatusUpdate ? pages.renew : pages.forget);
    if (!isStatusUpdate) hosts.renew();
  });
}
