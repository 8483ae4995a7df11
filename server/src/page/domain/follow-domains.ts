import type { Context } from "../../context.ts";
import { invalidInput } from "../../errors.ts";
import { announcePage } from "../../notification/announce-page.ts";
import { listDomains, takeDueDomains } from "../../store/queries/page-domains.ts";
import { msg } from "../../texts/message.ts";
import { verb } from "../../verb/verb.ts";
import { IdParams } from "../../wire/field.ts";
import { StatusPage } from "../../wire/status-pages.ts";
import { findPageMeant, showPage } from "../found-page.ts";
import { applyDnsFindings, lookUpDomain } from "./claim-domain.ts";

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
        const isMoved = await applyDnsFindings(
          { db, clock: ctx.clock },
          { id: pageId, uuid },
          { host, look },
        );
        if (isMoved) announcePage({ ...ctx, db, after: (work) => after.push(work) }, [slug]);
      });
      for (const work of after) work();
    }),
  );
}

/** Asks the DNS now whether the page's own domain is set up. Throws 404, and 422 for a page that has none. */
export const checkCustomDomain = verb({
  resource: "status-pages",
  feature: "team",
  action: "write",
  audit: "check custom domain",
  hints: { readOnly: true, openWorld: true },
  input: IdParams,
  output: StatusPage,
  find: findPageMeant,
  async prepare(ctx, _, page) {
    const [claim] = await listDomains(ctx.store.db, [page.id]);
    if (!claim) throw invalidInput({ customDomain: [msg("page.domain_none")] });
    const { host } = claim;
    return { page, looked: { host, look: await lookUpDomain(ctx, { host, uuid: page.uuid }) } };
  },
  async run(ctx, _, { page, looked }) {
    if (await applyDnsFindings(ctx, page, looked)) announcePage(ctx, [page.slug]);
    ctx.record({ id: page.id, name: page.name });
    return showPage(ctx, page);
  },
});
