import type { PublicPage } from "../document/public-page.ts";
import { lookAtIncidents } from "./incident-news.ts";
import { lookAtMaintenance } from "./maintenance-news.ts";
import type { PageNews } from "./news.ts";
import { type KnownToSubscribers, toldBy, toldOf } from "./told.ts";

/** What has come to a page since `told`, what is known then, and when there may be more without anything happening. */
export interface PageDiff {
  news: PageNews[];
  told: KnownToSubscribers;
  again: number;
}

/** Compares a page with what its subscribers know of it. */
export function lookAt(page: PublicPage, before: KnownToSubscribers): PageDiff {
  let again = nextEdge(page);
  const looking = {
    ...{ page, told: toldBy(before, page.updatedAt), known: toldOf(page) },
    lookAgain: (at: number) => void (again = Math.min(again, at)),
  };
  const found = [...lookAtIncidents(looking), ...lookAtMaintenance(looking)];
  const news = found.sort((a, b) => a.at - b.at).map((one) => one.news);
  return { news, told: looking.known, again };
}

/** When maintenance begins or ends next. */
const nextEdge = ({ maintenance, updatedAt: now }: PublicPage): number =>
  Math.min(
    ...maintenance
      .flatMap(({ startsAt, endsAt }) => [startsAt, endsAt])
      .filter((at) => at > now)
      .concat(Number.POSITIVE_INFINITY),
  );
