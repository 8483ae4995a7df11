import type { Context } from "../context.ts";
import { unavailable } from "../errors.ts";
import { findPageBySlug, type StatusPage } from "../store/queries/status-pages.ts";
import type { PublicPage } from "./public-page.ts";
import { readPublicPage } from "./read-public-page.ts";

/** So long visitors get what was read before. */
const FRESH_MS = 15_000;
/** While the store is away it is asked again after so long. */
const RETRY_MS = 5_000;
/** Whoever could have an older version waits no longer for the store. */
const PATIENCE_MS = 2_000;
/** From that age on a page says that it is old. */
const OLD_MS = 60_000;
/** An older version than this tells nobody how things stand. */
const LONGEST_MS = 86_400_000;
const MAX_PAGES = 500;
const RETRY_SECONDS = 5;

/** A page as it was last read. */
export interface KeptPage {
  /** Says who may see it. */
  page: StatusPage;
  document: PublicPage;
  /** Until then nobody asks the store. */
  freshUntil: number;
  /** Newer information could not be had. */
  isOld: boolean;
}

/** Status pages in memory: a page answers its visitors also when its database does not. */
export interface KeptPages {
  /** Null: there is no page of that slug. Throws the store's error where no version of the last day is there. */
  find(slug: string): Promise<KeptPage | null>;
  /** What `find` would give without asking the store. */
  peek(slug: string): KeptPage | null;
  /** Whether `find` has something to give whatever becomes of the store. */
  has(slug: string): boolean;
}

type Reading = Pick<Context, "store" | "clock" | "config" | "log">;

export function keepPages(ctx: Reading): KeptPages {
  const { clock, log } = ctx;
  const kept = new Map<string, KeptPage>();
  const reading = new Map<string, Promise<KeptPage | null>>();

  const readOnce = (slug: string): Promise<KeptPage | null> => {
    const asked = reading.get(slug) ?? read().finally(() => reading.delete(slug));
    reading.set(slug, asked);
    return asked;

    async function read(): Promise<KeptPage | null> {
      const fresh = await readPage(ctx, slug);
      kept.delete(slug);
      if (fresh) kept.set(slug, fresh);
      // The first of a map is what was read least lately.
      if (kept.size > MAX_PAGES) kept.delete(kept.keys().next().value as string);
      return fresh;
    }
  };

  const peek = (slug: string): KeptPage | null => {
    const known = kept.get(slug);
    return known && clock.now() < known.freshUntil ? known : null;
  };

  return {
    peek,
    has: (slug) => kept.has(slug),
    async find(slug) {
      const fresh = peek(slug);
      if (fresh) return fresh;
      const known = kept.get(slug);
      const asked = readOnce(slug);
      if (!known) return asked;
      try {
        return await withPatience(asked);
      } catch (error) {
        // Somebody else may have been told in the meantime.
        const told = peek(slug);
        if (told) return told;
        const old = asItWas(known, clock.now(), error);
        kept.set(slug, old);
        log.warn({ err: error, slug }, "a status page is shown as it was");
        return old;
      }
    },
  };
}

async function readPage({ store, clock, config }: Reading, slug: string): Promise<KeptPage | null> {
  const now = clock.now();
  const page = await findPageBySlug(store.db, slug);
  if (page === null) return null;
  const document = await readPublicPage(store.db, page, { now, publicUrl: config.publicUrl });
  return { page, document, freshUntil: now + FRESH_MS, isOld: false };
}

/** The version before, until it is time to ask again. Throws the reason for it where that is too old to be of use. */
function asItWas(known: KeptPage, now: number, reason: unknown): KeptPage {
  const ageMs = now - known.document.updatedAt;
  if (ageMs > LONGEST_MS) throw reason;
  return { ...known, freshUntil: now + RETRY_MS, isOld: ageMs > OLD_MS };
}

/** Throws when nothing is there after PATIENCE_MS. */
async function withPatience<T>(asked: Promise<T>): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(unavailable(RETRY_SECONDS)), PATIENCE_MS);
  // It may fail after nobody waits for it any more.
  asked.catch(() => undefined);
  return Promise.race([asked, promise]).finally(() => clearTimeout(timer));
}
