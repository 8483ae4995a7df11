import { randomToken } from "../account/token.ts";
import type { Context } from "../context.ts";
import { PublicError } from "../errors.ts";
import { PageError } from "../site/page.ts";
import type { Db } from "../store/db.ts";
import { readIcon, type StoredIcon, writeIcon } from "../store/queries/icons.ts";

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
export async function findIcon(
  { db, clock, pages }: { db: Db } & Pick<Context, "clock" | "pages">,
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
