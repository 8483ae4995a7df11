import { invalidInput } from "../errors.ts";
import { PageError } from "../site/page.ts";
import { inEnglish } from "../texts/english.ts";
import { verb } from "../verb/verb.ts";
import { TitleLookup, TitleQuery } from "../wire/domain-page.ts";
import { hostProblem } from "./target.ts";
import { normaliseUrl } from "./url.ts";

/** Reads a page's title, to suggest a name while a domain is being added. Throws 422 when it cannot be read. */
export const fetchTitle = verb({
  resource: "domains",
  action: "read",
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
      throw invalidInput({ url: [`The page could not be read: ${asClause(inEnglish(error.reason))}`] });
    });
    return { title: page.title ?? new URL(page.url).hostname, url: page.url };
  },
});

/** A sentence as it reads after a colon; hosts and abbreviations at its beginning stay as they are. */
const asClause = (text: string): string => text.replace(/^[A-Z](?=[a-z ])/, (letter) => letter.toLowerCase());
