import type { TargetPolicy } from "../check/guard.ts";
import { PageError } from "../check/page.ts";
import type { CallerContext } from "../context.ts";
import { invalidInput } from "../errors.ts";
import { targetProblem } from "./target.ts";
import { normaliseUrl } from "./url.ts";

/** Reads a page's title, to suggest a name while a domain is being added. Throws 422 when it cannot be read. */
export async function fetchTitle(
  ctx: CallerContext,
  input: { url: string; signal?: AbortSignal | undefined },
): Promise<{ title: string; url: string }> {
  const address = normaliseUrl(input.url);
  if (!address.ok) throw invalidInput({ url: [address.problem] });
  const { policy } = ctx.network;
  const refusal = targetProblem(address.url, policy);
  if (refusal !== null) throw invalidInput({ url: [refusal] });
  const request = { url: address.url, organizationId: ctx.caller.organizationId, signal: input.signal };
  const page = await ctx.pages.read("title", request).catch((error: unknown) => {
    if (!(error instanceof PageError)) throw error;
    throw invalidInput({ url: [`The page could not be read: ${why(error, policy)}`] });
  });
  return { title: page.title ?? new URL(page.url).hostname, url: page.url };
}

/**
 * Where strangers choose the targets, a name that does not exist and one that points inside read the same: else
 * name after name would draw them a map of the network behind this server.
 */
function why({ reasonCode, message }: PageError, policy: TargetPolicy): string {
  const isAboutName = reasonCode === "dns" || reasonCode === "guard";
  return asClause(policy === "public" && isAboutName ? "No public address was found for its host." : message);
}

/** A sentence as it reads after a colon; hosts and abbreviations at its beginning stay as they are. */
const asClause = (text: string): string => text.replace(/^[A-Z](?=[a-z ])/, (letter) => letter.toLowerCase());
