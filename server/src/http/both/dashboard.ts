import { Type } from "typebox";
import { getDashboardStats } from "../../report/get-dashboard-stats.ts";
import { listRecentActivity } from "../../report/list-recent-activity.ts";
import {
  Activity,
  ActivityQuery,
  DashboardQuery,
  DashboardStats,
  projectActivity,
  projectDashboardStats,
} from "../../wire/legacy/dashboard.ts";
import { V2Activity, V2ActivityQuery, V2DashboardQuery, V2DashboardStats } from "../../wire/v2/dashboard.ts";
import type { DefineBoth } from "../both-families.ts";

const facts = { resource: "dashboard", method: "GET" } as const;

/** The first look: figures, and what happened last. */
export function describeDashboard(define: DefineBoth): void {
  define({
    ...{ ...facts, url: "/api/dashboard/stats" },
    summary: "Figures of everything together",
    description: "Counts of domains, devices, services and open incidents: the first look of the day.",
    querystring: DashboardQuery,
    response: DashboardStats,
    v2: { url: "/v2/dashboard/stats", querystring: V2DashboardQuery, response: V2DashboardStats },
    async handler(own, { query }) {
      const stats = await getDashboardStats(own, { organization: query.organizationId });
      return { data: projectDashboardStats(stats) };
    },
  });
  define({
    ...{ ...facts, url: "/api/dashboard/recent-activity" },
    summary: "What happened last",
    description: "Status changes, incidents, and what people changed, newest first.",
    querystring: ActivityQuery,
    response: Type.Array(Activity),
    v2: {
      url: "/v2/dashboard/recent-activity",
      querystring: V2ActivityQuery,
      response: Type.Array(V2Activity),
    },
    async handler(own, { query: { organizationId: organization, type, limit } }) {
      return { data: (await listRecentActivity(own, { organization, type, limit })).map(projectActivity) };
    },
  });
}
