import type { CallerContext } from "../context.ts";
import { invalidInput } from "../errors.ts";
import { PageError } from "../site/page.ts";
import { inEnglish } from "../texts/english.ts";
import { hostProblem } from "./target.ts";
import { normaliseUrl } from "./url.ts";

/** Reads a page's title, to suggest a name while a domain is being added. Throws 422 when it cannot be read. */
export async function fetchTitle(
  ctx: CallerContext,
  input: { url: string; signal?: AbortSignal | undefined },
): Promise<{ title: string; url: string }> {
  const address = normaliseUrl(input.url);
  if (!address.ok) throw invalidInput({ url: [address.problem] });
  const { policy } = ctx.network;
  const refusal = hostProblem(new URL(address.url).hostname, policy);
  if (refusal !== null) throw invalidInput({ url: [refusal] });
  const request = { url: address.url, organizationId: ctx.caller.organizationId, signal: input.signal };
  const page = await ctx.pages.read("title", request).catch((error: unknown) => {
    if (!(error instanceof PageError)) throw error;
    throw invalidInput({ url: [`The page could not be read: ${asClause(inEnglish(error.reason))}`] });
  });
  return { title: page.title ?? new URL(page.url).hostname, url: page.url };
}

/** A sentence as it reads after a colon; hosts and abbreviations at its beginning stay as they are. */
const asClause = (text: string): string => text.replace(/^[A-Z](?=[a-z ])/, (letter) => letter.toLowerCase());
