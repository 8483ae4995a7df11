import type { Context } from "../../platform/context.ts";
import { findPageSince } from "../queries/status-pages.ts";
import type { CachedPage } from "./cached-page.ts";
import type { PageCache } from "./page-cache.ts";

const FRESH_MS = 15_000;
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
      return leftMs > 0 && leftMs <= FRESH_MS;
    },
    keep(slug: string, redirect: SlugRedirect) {
      former.delete(slug);
      former.set(slug, { ...redirect, freshUntil: clock.now() + FRESH_MS });
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
