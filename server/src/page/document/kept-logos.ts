import type { Context } from "../../context.ts";
import { type PageLogo, readLogo } from "../../store/queries/page-domains.ts";
import type { KeptPage } from "./kept-page.ts";

/** All logos in memory together. */
const MAX_BYTES = 16 * 1024 * 1024;

/** Logos of pages by the hash of their bytes, so that visitors cost the store nothing and see them while it is away. */
export interface KeptLogos {
  /** Null: the page has none any more. Throws the store's error. */
  find(kept: KeptPage): Promise<PageLogo | null>;
}

export function keepLogos({ store }: Pick<Context, "store">): KeptLogos {
  const kept = new Map<string, PageLogo>();
  let bytes = 0;
  return {
    async find({ page: { id, logo } }) {
      const known = logo === null ? undefined : kept.get(logo);
      if (known || logo === null) return known ?? null;
      const read = await readLogo(store.db, id);
      if (read === null || kept.has(read.hash)) return read;
      kept.set(read.hash, read);
      bytes += read.data.length;
      for (const [hash, { data }] of kept) {
        if (bytes <= MAX_BYTES) break;
        kept.delete(hash);
        bytes -= data.length;
      }
      return read;
    },
  };
}
