import { keepPreviousData, type QueryKey, queryOptions } from "@tanstack/react-query";
import type { projectFoundMonitor } from "../../../server/src/wire/search.ts";
import { apiPaths } from "../paths.ts";
import { call } from "./client.ts";

/** A domain, service or incident that fits what was searched. */
export type SearchResult = ReturnType<typeof projectFoundMonitor>;

/** More than anybody reads; a longer word narrows it. */
const resultsShown = 12;
const ageMs = 5_000;

/** What fits `text`, the best first; while that is on its way, what fitted before. */
export const searchQuery = (text: string) =>
  queryOptions({
    queryKey: ["search", text],
    enabled: text !== "",
    staleTime: ageMs,
    gcTime: ageMs,
    retry: false,
    placeholderData: text === "" ? undefined : keepPreviousData,
    queryFn: async ({ signal }) =>
      (
        await call<SearchResult[]>("GET", apiPaths.search, {
          query: { q: text, limit: resultsShown },
          signal,
        })
      ).data,
  });

/** The domains and services with these uuids, as far as there are any. `queryKey`: whose they are. */
export const namedQuery = (uuids: readonly string[], queryKey: QueryKey = ["search", "named"]) =>
  queryOptions({
    queryKey: [...queryKey, uuids.join()],
    enabled: uuids.length > 0,
    staleTime: ageMs,
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) =>
      (await call<SearchResult[]>("GET", apiPaths.search, { query: { ids: uuids.join() }, signal })).data,
  });
