import { randomToken } from "../account/token.ts";
import { fetchPage } from "../check/page.ts";
import { iconCandidates } from "../check/page-icon.ts";
import type { Context } from "../context.ts";
import { readIcon, type StoredIcon, writeIcon } from "../store/queries/icons.ts";
import { PAGE_LIMITS } from "./fetch-title.ts";
import { iconContentType } from "./icon-image.ts";

const DAY_MS = 86_400_000;
const KEEP_FOUND_MS = 7 * DAY_MS;
const KEEP_MISSING_MS = DAY_MS / 24;
const CANDIDATES_TRIED = 4;

/**
 * The site's icon: from the cache (a week; an hour when there was none), else looked for now: link
 * tags of the page, then /favicon.ico. An empty `contentType` says that the site has none.
 */
export async function findIcon(ctx: Context, monitor: { id: number; url: string }): Promise<StoredIcon> {
  const known = await readIcon(ctx.store.db, monitor.id);
  const now = ctx.clock.now();
  const keepMs = known?.contentType ? KEEP_FOUND_MS : KEEP_MISSING_MS;
  if (known && now - known.fetchedAt < keepMs) return known;
  const found = await searchIcon(ctx, monitor.url);
  const icon = {
    monitorId: monitor.id,
    token: randomToken(),
    fetchedAt: now,
    ...(found ?? { contentType: "", data: new Uint8Array() }),
  };
  return { ...icon, token: await writeIcon(ctx.store.db, icon) };
}

async function searchIcon(
  ctx: Context,
  url: string,
): Promise<Pick<StoredIcon, "contentType" | "data"> | null> {
  for (const candidate of (await candidatesOf(ctx, url)).slice(0, CANDIDATES_TRIED)) {
    const picture = await fetchPage(candidate, ctx.network, { ...PAGE_LIMITS, accept: "image/*" }).catch(
      () => null,
    );
    const contentType = picture?.statusCode === 200 ? iconContentType(picture.body) : null;
    if (picture && contentType) return { contentType, data: picture.body };
  }
  return null;
}

/** A page that cannot be read may still have an icon at the usual place. */
async function candidatesOf(ctx: Context, url: string): Promise<string[]> {
  const page = await fetchPage(url, ctx.network, { ...PAGE_LIMITS, accept: "text/html" }).catch(() => null);
  return page ? iconCandidates(page.body, page.url) : [new URL("/favicon.ico", url).href];
}
