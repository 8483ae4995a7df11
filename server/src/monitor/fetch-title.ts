import { hostProblem } from "../check/host-problem.ts";
import { invalidInput } from "../errors.ts";
import { PageError } from "../site/page.ts";
import { fact } from "../texts/fact.ts";
import { verb } from "../verb/verb.ts";
import { TitleLookup, TitleQuery } from "../wire/domains.ts";
import { normaliseUrl } from "./url.ts";

/** Reads a page's title, to suggest a name while a domain is being added. Throws 422 when it cannot be read. */
export const fetchTitle = verb({
  resource: "domains",
  action: "read",
  hints: { openWorld: true },
  input: TitleQuery,
  output: TitleLookup,
  async run(ctx, input) {
    const address = normaliseUrl(input.url);
    if (!address.ok) throw invalidInput({ url: [address.problem] });
    const refusal = hostProblem(new URL(address.url).hostname, ctx.network.policy);
    if (refusal !== null) throw invalidInput({ url: [refusal] });
    const { organizationId } = ctx.caller;
    const request = { url: address.url, organizationId, signal: ctx.signal?.() };
    const page = await ctx.pages.read("title", request).catch((error: unknown) => {
      if (!(error instanceof PageError)) throw error;
      throw invalidInput({ url: [{ ...fact("page.unreadable"), because: error.reason }] });
    });
    return { title: page.title ?? new URL(page.url).hostname, url: page.url };
  },
});
