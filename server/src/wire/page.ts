import { Type } from "typebox";
import type { ListPart } from "../store/queries/ref.ts";
import type { Page } from "./envelope.ts";
import { oneOf } from "./field.ts";

/** A list without pages has everything, up to this many items (decisions §1). */
export const MAX_WITHOUT_PAGES = 1_000;

/** Beyond it a store could not count the items to skip. */
const MAX_PAGE = 1_000_000;
const pageNumber = { minimum: 1, maximum: MAX_PAGE, description: "Counted from 1." };

/** Paging of a list that answers with everything (up to 1,000 items) unless asked for a page. */
export const PageQuery = {
  page: Type.Optional(Type.Integer(pageNumber)),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000, description: "Items a page." })),
};

const CREATED_SORTS = ["createdAt", "-createdAt"] as const;
/** By when something was created: the oldest first, or the newest. */

/** The order of a list whose pages shift otherwise. `usual`: the order without it, in a sentence. */
export const createdSort = (usual: string) =>
  Type.Optional(
    oneOf(CREATED_SORTS, {
      description: `\`createdAt\`: the oldest first, so that no item is on two pages while others are added. ${usual}`,
    }),
  );

/**
 * The same of a list that is newest first. Its pages shift while items are added, unless it is read from its oldest on.
 */
export const NewestFirstQuery = {
  ...PageQuery,
  sort: createdSort("Default: `-createdAt`, the newest first."),
};

/** Paging of every v2 list. */
export const V2PageQuery = {
  page: Type.Optional(Type.Integer({ ...pageNumber, default: 1 })),
  per_page: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 100, default: 15, description: "Items a page." }),
  ),
};

/** A list, and which page of a longer one it is; `page` is undefined when no paging was asked for. */
export interface Listed<Items> {
  items: Items;
  page?: Page | undefined;
  /** What the verb's `beside` declares. */
  beside?: Readonly<Record<string, unknown>>;
}

export interface PageRequest {
  page?: number | undefined;
  limit?: number | undefined;
  sort?: string | undefined;
}

/** The part of a list that was asked for. `isPaged`: false where no page was, so that it is everything. */
export interface Paging extends ListPart {
  isPaged: boolean;
  page: number;
}

/** Reads `PageQuery`. In v2 paging is always asked for: its query has defaults. `usualLimit`: of a page without a limit. */
export function pagingOf(query: PageRequest, usualLimit = 20): Paging {
  const isPaged = query.page !== undefined || query.limit !== undefined;
  const { page = 1, limit = isPaged ? usualLimit : MAX_WITHOUT_PAGES } = query;
  return {
    isPaged,
    page,
    limit,
    offset: (page - 1) * limit,
    way: query.sort === "createdAt" ? "asc" : "desc",
  };
}

/** What is said of the page, if one was asked for. `total`: items in all pages together. */
export const pageIn = ({ isPaged, page, limit }: Paging, total: number): Page | undefined =>
  isPaged ? { page, size: limit, total } : undefined;

/** The page of a short list that has been read whole; newest first where `query` can ask for the oldest first. */
export function pageOf<T>(all: readonly T[], query: PageRequest): Listed<T[]> {
  const paging = pagingOf(query);
  const { offset, limit } = paging;
  const ordered = query.sort === "createdAt" ? all.toReversed() : all;
  return { items: ordered.slice(offset, offset + limit), page: pageIn(paging, all.length) };
}
