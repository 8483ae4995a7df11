import type { Context } from "../context.ts";
import type { Db } from "../store/db.ts";
import { appendEvents, INTERNAL_ORGANIZATION, PAGE_EVENT } from "../store/queries/events.ts";
import { listSlugsShowing } from "../store/queries/page-names.ts";

type Changing = Pick<Context, "clock" | "live"> & { db: Db; after(work: () => void): void };

/** Has every server read the pages of these slugs anew, once the change is committed: nobody gets what they had. */
export function announcePage(ctx: Changing, slugs: readonly string[]): void {
  announce(ctx, { slugs: [...new Set(slugs)] });
}

/** The same for all pages that tell of something new about these monitors. What they had is there while the store is away. */
export async function renewPages(ctx: Changing, monitorIds: readonly number[]): Promise<void> {
  const slugs = await listSlugsShowing(ctx.db, monitorIds);
  if (slugs.length > 0) announce(ctx, { slugs, isNews: true });
}

/** What servers are told of pages. */
export interface PageChange {
  slugs: string[];
  isNews?: boolean;
}

function announce({ db, clock, live, after }: Changing, change: PageChange): void {
  const payload = { ...change };
  appendEvents(db, [{ organizationId: INTERNAL_ORGANIZATION, type: PAGE_EVENT, payload }], clock.now());
  after(() => live.wake());
}
