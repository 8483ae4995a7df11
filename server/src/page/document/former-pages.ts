import type { Context } from "../../context.ts";
import { findSlugSince } from "../../store/queries/former-slugs.ts";
import type { KeptPage } from "./kept-page.ts";
import type { KeptPages } from "./kept-pages.ts";

/** So long nobody asks the store again where a former slug leads. */
const FRESH_MS = 15_000;
const MAX_SLUGS = 500;

/**
 * Finds pages at the slugs that they had before, too: `find` gives a page whose slug is another than the one that was asked for. A
 * page that has a slug now comes before one that had it.
 */
export function findFormerPages(
  pages: KeptPages,
  { store, clock }: Pick<Context, "store" | "clock">,
): KeptPages {
  const former = new Map<string, { present: string; freshUntil: number }>();
  const note = (slug: string, present: string) => {
    former.delete(slug);
    former.set(slug, { present, freshUntil: clock.now() + FRESH_MS });
    if (former.size > MAX_SLUGS) former.delete(former.keys().next().value as string);
  };
  const lookUp = async (slug: string): Promise<KeptPage | null> => {
    const page = await pages.find(slug);
    const present = page ? null : await findSlugSince(store.db, slug);
    if (present === null) {
      former.delete(slug);
      return page;
    }
    note(slug, present);
    return pages.find(present);
  };
  return {
    ...pages,
    has(slug) {
      const known = former.get(slug);
      return pages.has(slug) || (known !== undefined && pages.has(known.present));
    },
    forget(slug) {
      former.delete(slug);
      pages.forget(slug);
    },
    async find(slug) {
      const known = former.get(slug);
      if (!known) return lookUp(slug);
      const leftMs = known.freshUntil - clock.now();
      if (leftMs > 0 && leftMs <= FRESH_MS) return (await pages.find(known.present)) ?? lookUp(slug);
      try {
        return await lookUp(slug);
      } catch (error) {
        // While the store is away it leads where it led before.
        if (!pages.has(known.present)) throw error;
        return pages.find(known.present);
      }
    },
  };
}
