import { type QueryClient, queryOptions } from "@tanstack/react-query";
import type { projectStats } from "../../../server/src/wire/domain-figures.ts";
import type { projectDomain } from "../../../server/src/wire/domains.ts";
import { apiPaths } from "../paths.ts";
import { call } from "./client.ts";

/** One item of the list; `responseTime` in milliseconds, `uptimePercentage` 0…100 over the last 24 hours. */
export type Domain = ReturnType<typeof projectDomain>;

/** Columns of the list; a leading `-` turns the order round. */
export const sortColumns = ["name", "status", "responseTime", "certificate", "uptime"] as const;
export type SortColumn = (typeof sortColumns)[number];
export type DomainSort = SortColumn | `-${SortColumn}`;

/** Which domains, and in which order. `state` undefined: all of them. */
export interface DomainView {
  state: Domain["state"] | undefined;
  /** Part of the name or the URL. */
  search: string;
  sort: DomainSort;
}

/** A stretch of the list. */
export interface DomainPage {
  domains: Domain[];
  /** How many fit the view altogether. */
  total: number;
}

/** How many domains are in which state; `up` includes `degraded`, `unknown` includes `paused`. */
export type DomainStats = ReturnType<typeof projectStats>;

/** About two screens: the list asks for what is in sight and for little more. */
export const pageSize = 50;
/** The most that the API gives at once. */
const largestPage = 1000;

/** Everything whose figures or order change with the status of any domain. */
export const listKeys = { every: ["domains"], pages: ["domains", "pages"] } as const;

/** The list's figures move by themselves, above all the uptime of what is down. */
const figuresAgeMs = 60_000;

/** One page of a view from the API; `page` from 0. Also in orders that the list has no column for. */
export async function readPage(
  view: Omit<DomainView, "sort"> & { sort: DomainSort | "-statusSince" },
  page: number,
  limit: number,
  signal?: AbortSignal,
): Promise<DomainPage> {
  const query = { ...view, page: page + 1, limit };
  const answer = await call<Domain[]>("GET", apiPaths.domains, { query, signal });
  return { domains: answer.data, total: answer.pagination?.total ?? answer.data.length };
}

/** One stretch of a view; `page` from 0. */
export const domainPageQuery = (view: DomainView, page: number) =>
  queryOptions({
    queryKey: [...listKeys.pages, view, page],
    refetchInterval: figuresAgeMs,
    queryFn: ({ signal }): Promise<DomainPage> => readPage(view, page, pageSize, signal),
  });

/** The counts beside the filters. */
export const domainStatsQuery = queryOptions({
  queryKey: ["domains", "stats"],
  refetchInterval: figuresAgeMs,
  queryFn: async ({ signal }) => (await call<DomainStats>("GET", apiPaths.domainStats, { signal })).data,
});

/** The domains of a view from one place to another, both included; asks for nothing that is cached. */
export async function readStretch(
  client: QueryClient,
  view: DomainView,
  from: number,
  to: number,
): Promise<Domain[]> {
  const cached: Domain[] = [];
  for (let at = from; at <= to; at++) {
    const { queryKey } = domainPageQuery(view, Math.floor(at / pageSize));
    const domain = client.getQueryData(queryKey)?.domains[at % pageSize];
    if (!domain) break;
    cached.push(domain);
  }
  if (cached.length === to - from + 1) return cached;
  const pages = [];
  for (let page = Math.floor(from / largestPage); page * largestPage <= to; page++) {
    pages.push((await readPage(view, page, largestPage)).domains);
  }
  const start = Math.floor(from / largestPage) * largestPage;
  return pages.flat().slice(from - start, to - start + 1);
}
