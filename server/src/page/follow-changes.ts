import type { Context } from "../context.ts";
import type { PageChange } from "../notification/announce-page.ts";
import { PAGE_EVENT } from "../store/queries/events.ts";
import type { KeptPages } from "./document/kept-pages.ts";

/** What a server has in memory of pages. */
interface Kept {
  pages: Pick<KeptPages, "forget" | "renew">;
  /** Whose hosts are whose. */
  hosts: { renew(): void };
}

/** Takes what any server announces to what this one has in memory. */
export function followPageChanges(live: Context["live"], { pages, hosts }: Kept): void {
  live.onEvent?.(PAGE_EVENT, (payload) => {
    const { slugs, isNews } = payload as unknown as PageChange;
    slugs.forEach(isNews ? pages.renew : pages.forget);
    if (!isNews) hosts.renew();
  });
}
