import { invalidInput } from "../../errors.ts";
import { announcePage } from "../../notification/announce-page.ts";
import { listDomains } from "../../store/queries/page-domains.ts";
import { fact } from "../../texts/fact.ts";
import { verb } from "../../verb/verb.ts";
import { IdParams } from "../../wire/field.ts";
import { StatusPage } from "../../wire/status-pages.ts";
import { findPageMeant, showPage } from "../found-page.ts";
import { settleDomain } from "./claim-domain.ts";
import { lookUpDomain } from "./look-up-domain.ts";

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
    if (!claim) throw invalidInput({ customDomain: [fact("page.domain_none")] });
    const { host } = claim;
    return { page, looked: { host, look: await lookUpDomain(ctx, { host, uuid: page.uuid }) } };
  },
  async run(ctx, _, { page, looked }) {
    if (await settleDomain(ctx, page, looked)) announcePage(ctx, [page.slug]);
    ctx.record({ id: page.id, name: page.name });
    return showPage(ctx, page);
  },
});
