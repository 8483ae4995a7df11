import type { Context } from "../context.ts";
import type { Db } from "../store/db.ts";
import { appendEvents, INTERNAL_ORGANIZATION, type NewEvent, PAGE_EVENT } from "../store/queries/events.ts";
import { listSlugsShowing } from "../store/queries/status-pages.ts";

type Changing = Pick<Context, "clock" | "live"> & { db: Db; after(work: () => void): void };

/** Has every server read the pages of these slugs anew, once the change is committed: nobody gets what they had. */
export function announcePage(ctx: Changing, slugs: readonly string[]): void {
  announce(ctx, { slugs: [...new Set(slugs)] });
}

/** The same for all pages that tell of something new about these monitors. What they had is there while the store is away. */
export async function renewPages(ctx: Changing, monitorIds: readonly number[]): Promise<void> {
  appendEvents(ctx.db, await pageEvents(ctx.db, monitorIds), ctx.clock.now());
  ctx.after(() => ctx.live.wake());
}

/** The same as events, for what writes the event log itself. */
export async function pageEvents(trx: Db, monitorIds: readonly number[]): Promise<NewEvent[]> {
  const slugs = monitorIds.length === 0 ? [] : await listSlugsShowing(trx, monitorIds);
  return slugs.length === 0 ? [] : [pageEvent({ slugs, isNews: true })];
}

/** Has every server read the pages anew that show any of these monitors, and give nobody what they had. */
export async function forgetPages(ctx: Changing, monitorIds: readonly number[]): Promise<void> {
  const slugs = await listSlugsShowing(ctx.db, monitorIds);
  if (slugs.length > 0) announcePage(ctx, slugs);
}

/** What servers are told of pages. */
export interface PageChange {
  slugs: string[];
  isNews?: boolean;
}

function announce({ db, clock, live, after }: Changing, change: PageChange): void {
  appendEvents(db, [pageEvent(change)], clock.now());
  after(() => live.wake());
}

const pageEvent = (change: PageChange): NewEvent => ({
  ...{ organizationId: INTERNAL_ORGANIZATION, type: PAGE_EVENT, payload: { ...change } },
});
