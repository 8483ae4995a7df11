import { keepPreviousData, type QueryClient, queryOptions, useQueryClient } from "@tanstack/react-query";
import { apiPaths } from "../paths.ts";
import { type BulkAnswer, type BulkOutcome, runBulk } from "./bulk.ts";
import { call } from "./client.ts";
import { type Incident, incidentsKey, refreshIncidents, type Severity } from "./incidents.ts";
import { pageSize, readRange } from "./list-pages.ts";

/** Which of them: the open ones, those not acknowledged yet, the resolved ones, or all. */
export const incidentFilters = ["active", "waiting", "resolved", "all"] as const;
export type IncidentFilter = (typeof incidentFilters)[number];

/** The most severe first. */
export const severities: readonly Severity[] = ["critical", "high", "medium", "low"];

/** Columns of the list; a leading `-` turns the order round. */
const sortColumns = ["startedAt", "duration", "severity", "status"] as const;
type SortColumn = (typeof sortColumns)[number];
export type IncidentSort = SortColumn | `-${SortColumn}`;
export const incidentSorts = sortColumns.flatMap((name): IncidentSort[] => [name, `-${name}`]);

/** Newest first. */
export const usualSort: IncidentSort = "-startedAt";

export interface IncidentView {
  filter: IncidentFilter;
  /** Part of the title, or of the name of what it affects. */
  search: string;
  /** Only these. */
  severity?: Severity | undefined;
  /** Only what affects this monitor; its uuid. */
  monitor?: string | undefined;
  sort: IncidentSort;
}

export interface IncidentsRead {
  incidents: Incident[];
  total: number;
}

/** Live events bring what changes; this is for what they miss. */
const ageMs = 60_000;

async function readPage(
  view: IncidentView,
  page: number,
  limit: number,
  signal?: AbortSignal,
): Promise<IncidentsRead> {
  const { filter, search, severity, monitor, sort } = view;
  const active = filter === "all" ? undefined : filter !== "resolved";
  const acknowledged = filter === "waiting" ? false : undefined;
  const narrowed = { active, acknowledged, search: search || undefined, severity, monitor };
  const query = { ...narrowed, sort, page: page + 1, limit };
  const answer = await call<Incident[]>("GET", apiPaths.incidents, { query, signal });
  return { incidents: answer.data, total: answer.pagination?.total ?? answer.data.length };
}

/** One page of a view; `page` from 0. */
export const incidentPageQuery = (view: IncidentView, page: number) =>
  queryOptions({
    queryKey: [incidentsKey, "list", view, page],
    refetchInterval: ageMs,
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => readPage(view, page, pageSize, signal),
  });

/** The incidents of a view from one place to another, both included; nothing that is cached is requested. */
export const readIncidents = (
  client: QueryClient,
  view: IncidentView,
  from: number,
  to: number,
): Promise<Incident[]> =>
  readRange(
    {
      known: (page) => client.getQueryData(incidentPageQuery(view, page).queryKey)?.incidents,
      read: async (page, limit) => (await readPage(view, page, limit)).incidents,
    },
    from,
    to,
  );

/** Those that have waited longest to be acknowledged. */
export const waitingIncidentsQuery = (limit: number) =>
  queryOptions({
    queryKey: [incidentsKey, "waiting", limit],
    queryFn: ({ signal }) => readPage({ filter: "waiting", search: "", sort: "startedAt" }, 0, limit, signal),
  });

/** Who looks after troubles is looked up among so many of the newest incidents. */
const acknowledgedAtOnce = 100;

export const acknowledgedIncidentsQuery = queryOptions({
  queryKey: [incidentsKey, "acknowledged"],
  refetchInterval: ageMs,
  queryFn: async ({ signal }) => {
    const query = { active: true, acknowledged: true, sort: usualSort, page: 1, limit: acknowledgedAtOnce };
    return (await call<Incident[]>("GET", apiPaths.incidents, { query, signal })).data;
  },
});

/** Acknowledges many, some hundreds a request; what became of each. */
export function useAcknowledgeMany() {
  const client = useQueryClient();
  return async (
    incidents: readonly Incident[],
    options: Parameters<typeof runBulk>[2],
  ): Promise<BulkOutcome<Incident>> => {
    const body = (ids: number[]) => ({ action: "acknowledge", ids });
    const path = `${apiPaths.incidents}/bulk`;
    const send = async (ids: number[]) => (await call<BulkAnswer>("POST", path, { body: body(ids) })).data;
    try {
      return await runBulk(incidents, send, options);
    } finally {
      await refreshIncidents(client);
    }
  };
}
