import type { Context } from "../../context.ts";
import { announcePage } from "../../notification/announce-page.ts";
import { takeDueDomains } from "../../store/queries/page-domains.ts";
import { settleDomain } from "./claim-domain.ts";
import { lookUpDomain } from "./look-up-domain.ts";

/** So many are looked at in one turn, side by side. */
const LIMIT = 20;
/** A replica that dies meanwhile keeps the others from it for so long. */
const LEASE_MS = 60_000;

/** Looks at the DNS of the domains of pages that are due: those that are waited for often, those that are served rarely. */
export async function followDomains(
  ctx: Pick<Context, "store" | "clock" | "config" | "network" | "live">,
): Promise<void> {
  if (ctx.config.publicUrl === null) return;
  const now = ctx.clock.now();
  const due = await takeDueDomains(ctx.store.db, { now, until: now + LEASE_MS, limit: LIMIT });
  await Promise.all(
    due.map(async ({ pageId, uuid, slug, host }) => {
      const look = await lookUpDomain(ctx, { host, uuid });
      const after: (() => void)[] = [];
      await ctx.store.transaction(async (db) => {
        const isMoved = await settleDomain({ db, clock: ctx.clock }, { id: pageId, uuid }, { host, look });
        if (isMoved) announcePage({ ...ctx, db, after: (work) => after.push(work) }, [slug]);
      });
      for (const work of after) work();
    }),
  );
}
