import { fetchPage } from "../check/page.ts";
import { pageTitle } from "../check/page-title.ts";
import type { Context } from "../context.ts";
import { invalidInput } from "../errors.ts";
import { normaliseUrl } from "./url.ts";

/** What a page may cost: enough for any `<head>`, not for a film. */
export const PAGE_LIMITS = { maxBytes: 512 * 1024, timeoutMs: 10_000 } as const;

/** Reads a page's title, to suggest a name while a domain is being added. Throws 422 when it cannot be read. */
export async function fetchTitle(
  ctx: Context,
  input: { url: string },
): Promise<{ title: string; url: string }> {
  const address = normaliseUrl(input.url);
  if (!address.ok) throw invalidInput({ url: [address.problem] });
  const page = await fetchPage(address.url, ctx.network, { ...PAGE_LIMITS, accept: "text/html" }).catch(
    (error: Error) => {
      throw invalidInput({ url: [`The page could not be read: ${error.message}`] });
    },
  );
  const title = pageTitle(page.body, page.headers.get("content-type") ?? "");
  return { title: title ?? new URL(page.url).hostname, url: page.url };
}
