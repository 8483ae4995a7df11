import { hostProblem } from "../checks/guard.ts";
import { PageError } from "../checks/site/page.ts";
import type { PageReader } from "../checks/site/page-reader.ts";
import { randomToken } from "../platform/access/random-tokens.ts";
import type { Context } from "../platform/context.ts";
import type { Db } from "../platform/database/schema.ts";
import { invalidInput, notFound, PublicError } from "../platform/errors.ts";
import { normaliseUrl } from "../platform/formats/url.ts";
import { msg } from "../platform/i18n/message.ts";
import { IdParams } from "../platform/operations/field.ts";
import { verb } from "../platform/operations/operation.ts";
import { findOfKind } from "./monitor.ts";
import { readIcon, readIconByToken, type StoredIcon, writeIcon } from "./queries/monitors.ts";
import { DomainIcon, TitleLookup, TitleQuery } from "./schemas/domains.ts";

const DAY_MS = 86_400_000;
const KEEP_FOUND_MS = 7 * DAY_MS;
const KEEP_MISSING_MS = DAY_MS / 24;

/** Whether an icon is to be looked for: none was yet (null), or what is known is old. `now` in milliseconds. */
export const isIconDue = (known: { found: boolean; fetchedAt: number } | null, now: number): boolean =>
  known === null || now - known.fetchedAt >= (known.found ? KEEP_FOUND_MS : KEEP_MISSING_MS);

/**
 * The site's icon: from the cache (a week; an hour when there was none), else looked for now: link
 * tags of the page, then /favicon.ico. An empty `contentType` says that the site has none. Throws 503 when the search
 * did not come to its end, which says nothing about the site, or too many pages wait.
 */
async function findIcon(
  { db, clock, pages }: { db: Db; pages: PageReader } & Pick<Context, "clock">,
  monitor: { id: number; organizationId: number; url: string },
  signal: AbortSignal | undefined,
): Promise<StoredIcon> {
  const known = await readIcon(db, monitor.id);
  const now = clock.now();
  if (known && !isIconDue({ found: known.contentType !== "", fetchedAt: known.fetchedAt }, now)) return known;
  const request = { url: monitor.url, organizationId: monitor.organizationId, signal };
  const found = await pages.read("icon", request).catch((error: unknown) => {
    throw error instanceof PageError ? new PublicError("unavailable", error.reason) : error;
  });
  const icon = {
    monitorId: monitor.id,
    token: randomToken(),
    fetchedAt: now,
    ...(found ?? { contentType: "", data: new Uint8Array() }),
  };
  return { ...icon, token: await writeIcon(db, icon) };
}

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
      throw invalidInput({ url: [{ ...msg("page.unreadable"), because: error.reason }] });
    });
    return { title: page.title ?? new URL(page.url).hostname, url: page.url };
  },
});

/** The path on this server of a domain's icon, looked for now when nothing fresh is known. Throws 404. */
export const getDomainIcon = verb({
  resource: "domains",
  action: "read",
  input: IdParams,
  output: DomainIcon,
  find: findOfKind("domain"),
  async run(ctx, _, domain) {
    const { token, fetchedAt } = await findIcon(ctx, { ...domain, url: domain.target }, ctx.signal?.());
    // The time in the address makes browsers load the icon again once a new one was found.
    return { iconUrl: `/icons/${token}?v=${fetchedAt}` };
  },
});

/** The picture behind an icon address: what was found, or a letter. Throws 404 for an unknown token. */
export async function getIconImage(
  ctx: Context,
  token: string,
): Promise<{ contentType: string; data: Buffer; found: boolean }> {
  const icon = await readIconByToken(ctx.store.db, token);
  if (!icon) throw notFound();
  const { contentType, data, monitorName } = icon;
  if (contentType) return { contentType, data: Buffer.from(data), found: true };
  return { contentType: "image/svg+xml", data: Buffer.from(placeholderIcon(monitorName)), found: false };
}

/** An SVG with the name's first letter, for sites without an icon; its colour is fixed by the name. */
function placeholderIcon(name: string): string {
  const letter = [...name.trim()].find((character) => /[\p{L}\p{N}]/u.test(character))?.toUpperCase() ?? "•";
  let hue = 0;
  for (const character of name) hue = (hue * 31 + (character.codePointAt(0) ?? 0)) % 360;
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="hsl(${hue} 45% 42%)"/>` +
    `<text x="16" y="22" text-anchor="middle" font-family="system-ui,sans-serif" font-size="17" font-weight="600" fill="#fff">${letter}</text></svg>`
  );
}
