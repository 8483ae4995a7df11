import { Type } from "typebox";
import type { Page } from "./envelope.ts";

const MAX_WITHOUT_PAGES = 1_000;

/** Beyond it a store could not count the items to skip. */
const MAX_PAGE = 1_000_000;
const pageNumber = { minimum: 1, maximum: MAX_PAGE, description: "Counted from 1." };

/** Paging of a list that answers with everything (up to 1,000 items) unless asked for a page. */
export const PageQuery = {
  page: Type.Optional(Type.Integer(pageNumber)),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000, description: "Items a page." })),
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
}

/** The page of a short list that has been read whole. In v2 paging is always asked for: its query has defaults. */
export function pageOf<T>(
  all: readonly T[],
  query: { page?: number | undefined; limit?: number | undefined },
): Listed<T[]> {
  const { page = 1, limit = 20 } = query;
  if (query.page === undefined && query.limit === undefined) {
    return { items: all.slice(0, MAX_WITHOUT_PAGES), page: undefined };
  }
  const from = (page - 1) * limit;
  return { items: all.slice(from, from + limit), page: { page, size: limit, total: all.length } };
}
