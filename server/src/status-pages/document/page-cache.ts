import type { Context } from "../../platform/context.ts";
import { unavailable } from "../../platform/errors.ts";
import { withTimeout } from "../../platform/turns.ts";
import { findPageBySlug, findPageSince } from "../queries/status-pages.ts";
import { readTexts } from "../render/view.ts";
import type { CachedPage } from "./cached-page.ts";
import { readPublicPage } from "./read-public-page.ts";

/** How long a version is served without reading the store. */
const FRESH_MS = 15_000;
/** Minimum between two readings of a page. */
const PAUSE_MS = 1_000;
/** While the store is away. */
const RETRY_MS = 5_000;
/** Where an older version could be served. */
const TIMEOUT_MS = 2_000;
/** From this age on, a page says that it is outdated. */
const OLD_MS = 60_000;
/** Older versions are not served. */
const LONGEST_MS = 86_400_000;
const MAX_PAGES = 500;
const RETRY_SECONDS = 5;

/** A page answers its visitors while its database does not. */
export interface PageCache {
  /** Null: no such page. Throws the store's error where no version of the last day is cached. */
  find(slug: string): Promise<CachedPage | null>;
  peek(slug: string): CachedPage | null;
  /** Whether `find` succeeds even without the store. */
  has(slug: string): boolean;
  /** Drops the cached version, which may be wrong. */
  forget(slug: string): void;
  /** The page changed: read again a second after the last reading; the cached version is served meanwhile. */
  renew(slug: string): void;
}

type ReadingContext = Pick<Context, "store" | "clock" | "config" | "log">;

export function createPageCache(ctx: ReadingContext): PageCache {
  const { clock, log } = ctx;
  const cache = new Map<string, CachedPage>();
  const { readOnce, startAnew, outdate } = readInto(cache, ctx);

  const peek = (slug: string): CachedPage | null => {
    const known = cache.get(slug);
    return known && isFresh(known, clock.now()) ? known : null;
  };

  const fallBack = (slug: string, error: unknown): CachedPage | Promise<CachedPage | null> => {
    const known = cache.get(slug);
    if (!known) return readOnce(slug);
    const now = clock.now();
    if (isFresh(known, now)) return known;
    const old = asItWas(known, now, error);
    cache.set(slug, old);
    log.warn({ err: error, slug }, "a status page is shown as it was");
    return old;
  };

  return {
    peek,
    has: (slug) => cache.has(slug),
    forget(slug) {
      startAnew(slug);
      cache.delete(slug);
    },
    renew(slug) {
      outdate(slug);
      const known = cache.get(slug);
      if (known) cache.set(slug, outdated(known, clock.now()));
    },
    async find(slug) {
      const fresh = peek(slug);
      if (fresh) return fresh;
      const pending = readOnce(slug);
      if (!cache.has(slug)) return pending;
      return withTimeout(pending, TIMEOUT_MS, tooLate).catch((error: unknown) => fallBack(slug, error));
    },
  };
}

/** One reading per page at a time, shared by all requests. `startAnew`: a running one may be outdated. */
function readInto(cache: Map<string, CachedPage>, ctx: ReadingContext) {
  const reading = new Map<string, Promise<CachedPage | null>>();
  /** Readings during which the page changed again. */
  const isOutdated = new WeakSet<Promise<CachedPage | null>>();
  const keep = (slug: string, fresh: CachedPage | null) => {
    cache.delete(slug);
    if (fresh) cache.set(slug, fresh);
    // The first of a map is the least recently read.
    if (cache.size > MAX_PAGES) cache.delete(cache.keys().next().value as string);
  };
  const read = (slug: string): Promise<CachedPage | null> => {
    const isLatest = () => reading.get(slug) === pending;
    const pending = readPage(ctx, slug)
      .then((fresh) => {
        if (isLatest())
          keep(slug, fresh && isOutdated.has(pending) ? outdated(fresh, ctx.clock.now()) : fresh);
        return fresh;
      })
      .finally(() => {
        if (isLatest()) reading.delete(slug);
      });
    reading.set(slug, pending);
    return pending;
  };
  return {
    readOnce: (slug: string) => reading.get(slug) ?? read(slug),
    startAnew: (slug: string) => void reading.delete(slug),
    outdate(slug: string) {
      const pending = reading.get(slug);
      if (pending) isOutdated.add(pending);
    },
  };
}

/** No version is fresh for longer than FRESH_MS: otherwise the clock was ahead. */
const isFresh = ({ freshUntil }: CachedPage, now: number): boolean =>
  now < freshUntil && freshUntil - now <= FRESH_MS;

/** All visitors within a second of the reading get the same version. */
function outdated(known: CachedPage, now: number): CachedPage {
  const freshUntil = Math.min(known.document.updatedAt, now) + PAUSE_MS;
  return known.freshUntil <= freshUntil ? known : { ...known, freshUntil };
}

async function readPage({ store, clock, config }: ReadingContext, slug: string): Promise<CachedPage | null> {
  const now = clock.now();
  const page = await findPageBySlug(store.db, slug);
  if (page === null) return null;
  const document = await readPublicPage(store.db, page, { now, publicUrl: config.publicUrl });
  await readTexts(document);
  return { page, document, freshUntil: now + FRESH_MS, isOld: false };
}

/** Until the next retry. Throws the reason where the version is too old. */
function asItWas(known: CachedPage, now: number, reason: unknown): CachedPage {
  const ageMs = now - known.document.updatedAt;
  if (ageMs > LONGEST_MS) throw reason;
  return { ...known, freshUntil: now + RETRY_MS, isOld: ageMs > OLD_MS };
}

function tooLate(): never {
  throw unavailable(RETRY_SECONDS);
}

const RECENT_MS = 15_000;
const MAX_SLUGS = 500;

interface SlugRedirect {
  pageId: number;
  present: string;
}

interface CachedRedirect extends SlugRedirect {
  freshUntil: number;
}

function createRedirectCache(clock: Context["clock"]) {
  const former = new Map<string, CachedRedirect>();
  return {
    get: (slug: string) => former.get(slug),
    isFresh({ freshUntil }: CachedRedirect): boolean {
      const leftMs = freshUntil - clock.now();
      return leftMs > 0 && leftMs <= RECENT_MS;
    },
    keep(slug: string, redirect: SlugRedirect) {
      former.delete(slug);
      former.set(slug, { ...redirect, freshUntil: clock.now() + RECENT_MS });
      if (former.size > MAX_SLUGS) former.delete(former.keys().next().value as string);
    },
    forget: (slug: string) => void former.delete(slug),
  };
}

/**
 * Finds pages by former slugs, too: then the page's slug differs from the requested one. Present slugs have
 * precedence.
 */
export function findFormerPages(
  pages: PageCache,
  { store, clock }: Pick<Context, "store" | "clock">,
): PageCache {
  const former = createRedirectCache(clock);
  let changes = 0;
  /** Null: the slug to which it led has become another page's. */
  const follow = async ({ present, pageId }: SlugRedirect): Promise<CachedPage | null> => {
    const earlier = await pages.find(present);
    return earlier?.page.id === pageId ? earlier : null;
  };
  const lookUp = async (slug: string): Promise<CachedPage | null> => {
    const before = changes;
    const page = await pages.find(slug);
    const redirect = page ? null : await findPageSince(store.db, slug);
    if (redirect === null) {
      former.forget(slug);
      return page;
    }
    // A reading that began before a change may be outdated.
    if (before === changes) former.keep(slug, { pageId: redirect.pageId, present: redirect.present });
    return follow(redirect);
  };
  return {
    ...pages,
    has(slug) {
      const known = former.get(slug);
      return pages.has(slug) || (known !== undefined && pages.has(known.present));
    },
    forget(slug) {
      changes += 1;
      former.forget(slug);
      pages.forget(slug);
    },
    async find(slug) {
      const known = former.get(slug);
      if (!known) return lookUp(slug);
      if (former.isFresh(known)) return (await follow(known)) ?? lookUp(slug);
      try {
        return await lookUp(slug);
      } catch (error) {
        // While the store is away, the last known target.
        const earlier = pages.has(known.present) ? await follow(known) : null;
        if (!earlier) throw error;
        return earlier;
      }
    },
  };
}
