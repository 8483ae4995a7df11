import type { Context } from "../../platform/context.ts";
import { type PageLogo, readLogo } from "../queries/page-domains.ts";
import type { StatusPage } from "../queries/status-pages.ts";
import type { PublicPage } from "./public-page.ts";

export interface CachedPage {
  page: StatusPage;
  document: PublicPage;
  /** Until then the store is not read. */
  freshUntil: number;
  /** The store could not be read. */
  isOld: boolean;
}

const MAX_BYTES = 16 * 1024 * 1024;

/** By hash, so that visitors cost the store nothing and see them while it is away. */
interface LogoCache {
  /** Null: the page has none. Throws the store's error. */
  find(cache: CachedPage): Promise<PageLogo | null>;
}

export function createLogoCache({ store }: Pick<Context, "store">): LogoCache {
  const cache = new Map<string, PageLogo>();
  let bytes = 0;
  return {
    async find({ page: { id, logo } }) {
      const known = logo === null ? undefined : cache.get(logo);
      if (known || logo === null) return known ?? null;
      const read = await readLogo(store.db, id);
      if (read === null || cache.has(read.hash)) return read;
      cache.set(read.hash, read);
      bytes += read.data.length;
      for (const [hash, { data }] of cache) {
        if (bytes <= MAX_BYTES) break;
        cache.delete(hash);
        bytes -= data.length;
      }
      return read;
    },
  };
}
