import { keepPreviousData, type QueryKey, queryOptions } from "@tanstack/react-query";
import type { projectFoundMonitor } from "../../../server/src/reports/schemas/search.ts";
import { monitorKinds } from "../kinds.ts";
import { apiPaths } from "../paths.ts";
import { call } from "./client.ts";
import { readPage } from "./monitor-list.ts";

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

/** So many of each kind are read, of which some are chosen already. */
const firstOfEach = 20;

/** The first monitors by name, shown before anything is typed. */
export const firstMonitorsQuery = (isWanted: boolean) =>
  queryOptions({
    queryKey: ["search", "first"],
    enabled: isWanted,
    staleTime: ageMs,
    retry: false,
    queryFn: async ({ signal }) => {
      const view = { state: undefined, search: "", sort: "name" } as const;
      const ofKinds = await Promise.all(
        Object.values(monitorKinds).map(async (kind) =>
          (await readPage(kind, view, 0, firstOfEach, signal)).monitors.map(({ uuid }) => uuid),
        ),
      );
      const query = { ids: ofKinds.flat().join() };
      if (query.ids === "") return [];
      const { data } = await call<SearchResult[]>("GET", apiPaths.search, { query, signal });
      return data.toSorted((a, b) => a.name.localeCompare(b.name));
    },
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
