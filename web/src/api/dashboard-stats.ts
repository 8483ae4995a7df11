import { queryOptions } from "@tanstack/react-query";
import type { projectDashboardStats } from "../../../server/src/reports/schemas/dashboard.ts";
import { apiPaths } from "../paths.ts";
import { call } from "./client.ts";

/** Live events bring what changes (monitors.ts); this is for what they miss. */
const statsAgeMs = 60_000;

export const dashboardStatsQuery = queryOptions({
  queryKey: ["dashboard-stats"],
  refetchInterval: statsAgeMs,
  queryFn: async ({ signal }) =>
    (await call<ReturnType<typeof projectDashboardStats>>("GET", apiPaths.dashboardStats, { signal })).data,
});

/** How much of what has a page has problems. */
export type ProblemCounts = Record<"domains" | "services" | "devices" | "incidents", number>;

export const problemCountsQuery = queryOptions({
  ...dashboardStatsQuery,
  select: ({ domains, services, devices, incidents }): ProblemCounts => ({
    domains: domains.down,
    services: services.down,
    devices: devices.down,
    incidents: incidents.active,
  }),
});
