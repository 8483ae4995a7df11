import { type QueryClient, queryOptions } from "@tanstack/react-query";
import type { projectActivity } from "../../../server/src/reports/schemas/dashboard.ts";
import { type MonitorKind, monitorKinds } from "../kinds.ts";
import { apiPaths } from "../paths.ts";
import { ApiError, call } from "./client.ts";
import { dashboardStatsQuery } from "./dashboard-stats.ts";
import type { Device } from "./devices.ts";
import { acknowledgedIncidentsQuery } from "./incident-list.ts";
import { invitationsQuery } from "./invitations.ts";
import { listKeys } from "./monitor-keys.ts";
import {
  type Domain,
  type Monitor,
  type MonitorPage,
  type MonitorStats,
  readPage,
  type Service,
  statsQuery,
} from "./monitor-list.ts";

const { domain, service, device } = monitorKinds;

/** One change of a status: `previousStatus` to `status`, when it was confirmed. */
export type Activity = ReturnType<typeof projectActivity>;

/** What the overview has room for. */
export const problemsShown = { down: 8, degraded: 4 } as const;
/** More than there is room for, because unacknowledged ones come first. */
const problemsRead = 50;
const certificatesShown = 4;
export const activityShown = 12;
/** More than there is room for, because many that happened at once become one line. */
export const activityRead = 60;

/** Live events bring what changes; this is for what moves by itself, as days do. */
const statsAgeMs = 60_000;

/** Pages of the list under its own key: live events change and renew them as they do the list's. */
const listQuery = (name: string, view: Omit<Parameters<typeof readPage>[1], "search">, limit: number) =>
  queryOptions({
    queryKey: [...listKeys.pages(domain.id), "overview", name],
    refetchInterval: statsAgeMs,
    queryFn: ({ signal }) => readPage<Domain>(domain, { ...view, search: "" }, 0, limit, signal),
  });

/** The domains with a problem, the newest problem first. */
export const problemsQuery = (state: "down" | "degraded") =>
  listQuery(state, { state, sort: "-statusSince" }, problemsRead);

/** Two of the domains without a status: enough to know whether they are new. */
export const unknownQuery = listQuery("unknown", { state: "unknown", sort: "-statusSince" }, 2);

/** What the overview says of a kind that not everybody may see. */
export interface KindRead<Item extends Monitor = Monitor> {
  stats: MonitorStats;
  down: MonitorPage<Item>;
  degraded: MonitorPage<Item>;
}

type Counts = Pick<MonitorStats, "total" | "up" | "down" | "unknown">;

const nothing: KindRead<never> = {
  stats: {
    ...{ total: 0, up: 0, down: 0, unknown: 0, degraded: 0, paused: 0, maintenance: 0 },
    ...{ avgResponseTime: null, avgUptime: null },
  },
  down: { monitors: [], total: 0 },
  degraded: { monitors: [], total: 0 },
};

/** Those that may be seen; without any, or where the plan has none, nothing more is requested. */
async function readKind<Item extends Monitor>(
  kind: MonitorKind,
  counts: Counts,
  signal: AbortSignal,
): Promise<KindRead<Item>> {
  if (counts.total === 0) return nothing;
  const read = (state: "down" | "degraded" | "paused", limit: number) =>
    readPage<Item>(kind, { state, search: "", sort: "-statusSince" }, 0, limit, signal);
  try {
    const [down, degraded, paused] = await Promise.all([
      read("down", problemsRead),
      read("degraded", problemsRead),
      read("paused", 1),
    ]);
    const more = { degraded: degraded.total, paused: paused.total };
    return { stats: { ...nothing.stats, ...counts, ...more }, down, degraded };
  } catch (error) {
    if (error instanceof ApiError && error.status === 403) return nothing;
    throw error;
  }
}

export const servicesQuery = queryOptions({
  queryKey: [...listKeys.every(service.id), "overview"],
  refetchInterval: statsAgeMs,
  queryFn: async ({ client, signal }) => {
    const { services } = await client.fetchQuery({ ...dashboardStatsQuery, staleTime: 0 });
    return readKind<Service>(service, services, signal);
  },
});

/** The devices; one that is online is up. */
export const devicesQuery = queryOptions({
  queryKey: [...listKeys.every(device.id), "overview"],
  refetchInterval: statsAgeMs,
  queryFn: async ({ client, signal }) => {
    const {
      total,
      online: up,
      offline,
      down,
    } = (await client.fetchQuery({ ...dashboardStatsQuery, staleTime: 0 })).devices;
    return readKind<Device>(device, { total, up, down, unknown: offline - down }, signal);
  },
});

/** The domains whose certificates expire next; those without one come last. */
export const certificatesQuery = listQuery(
  "certificates",
  { state: undefined, sort: "certificate" },
  certificatesShown,
);

/** The last changes of status, newest first. */
export const activityQuery = queryOptions({
  queryKey: [...listKeys.every(domain.id), "activity"],
  refetchInterval: statsAgeMs,
  queryFn: async ({ signal }) => {
    const query = { type: "status", limit: activityRead };
    return (await call<Activity[]>("GET", apiPaths.recentActivity, { query, signal })).data;
  },
});

/** Requests everything on the page that is not cached yet, at the same time. */
export function prefetchOverview(client: QueryClient): void {
  const lists = [problemsQuery("down"), problemsQuery("degraded"), certificatesQuery];
  for (const query of lists) void client.prefetchQuery(query);
  void client.prefetchQuery(statsQuery(domain));
  void client.prefetchQuery(servicesQuery);
  void client.prefetchQuery(devicesQuery);
  void client.prefetchQuery(acknowledgedIncidentsQuery);
  void client.prefetchQuery(activityQuery);
  void client.prefetchQuery(invitationsQuery);
}
