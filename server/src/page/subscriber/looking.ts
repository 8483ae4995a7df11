import type { ComponentName, PublicPage } from "../document/public-page.ts";
import type { PageNews } from "./news.ts";
import type { KnownToSubscribers } from "./told.ts";

/** A comparison of a page with what its subscribers know of it, under way. */
export interface Looking {
  page: PublicPage;
  told: KnownToSubscribers;
  /** What they will know afterwards: what is on the page, unless it is told later. */
  known: KnownToSubscribers;
  /** There may be more then, without anything happening. */
  lookAgain(at: number): void;
}

/** News, and by which time they stand among others. */
export interface FoundNews {
  news: PageNews;
  at: number;
}

/** Those that are still on the page, as it calls them now: of others nothing is told any more. */
export function stillNamed({ groups }: PublicPage, components: readonly ComponentName[]): ComponentName[] {
  const names = new Map(groups.flatMap((group) => group.components.map(({ uuid, name }) => [uuid, name])));
  return components.flatMap(({ uuid }) => {
    const name = names.get(uuid);
    return name === undefined ? [] : { uuid, name };
  });
}
