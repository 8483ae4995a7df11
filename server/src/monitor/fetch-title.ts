import { PageError } from "../check/page.ts";
import type { CallerContext } from "../context.ts";
import { invalidInput } from "../errors.ts";
import { normaliseUrl } from "./url.ts";

/** Reads a page's title, to suggest a name while a domain is being added. Throws 422 when it cannot be read. */
export async function fetchTitle(
  ctx: CallerContext,
  input: { url: string; signal?: AbortSignal | undefined },
): Promise<{ title: string; url: string }> {
  const address = normaliseUrl(input.url);
  if (!address.ok) throw invalidInput({ url: [address.problem] });
  const request = { url: address.url, tenant: ctx.caller.organizationId, signal: input.signal };
  const page = await ctx.pages.read("title", request).catch((error: unknown) => {
    if (!(error instanceof PageError)) throw error;
    throw invalidInput({ url: [`The page could not be read: ${error.message}`] });
  });
  return { title: page.title ?? new URL(page.url).hostname, url: page.url };
}
