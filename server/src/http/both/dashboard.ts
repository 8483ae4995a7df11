import { Type } from "typebox";
import { getDashboardStats } from "../../report/get-dashboard-stats.ts";
import { listRecentActivity } from "../../report/list-recent-activity.ts";
import {
  Activity,
  ActivityQuery,
  DashboardStats,
  projectActivity,
  projectDashboardStats,
} from "../../wire/dashboard.ts";
import type { DefineBoth } from "../both-families.ts";

const facts = { resource: "dashboard", method: "GET" } as const;

/** The first look: figures, and what happened last. */
export function describeDashboard(define: DefineBoth): void {
  define({
    ...facts,
    url: "/api/dashboard/stats",
    summary: "Figures of everything together",
    description: "Counts of domains, devices, services and open incidents.",
    response: DashboardStats,
    handler: async (own) => ({ data: projectDashboardStats(await getDashboardStats(own)) }),
  });
  define({
    ...facts,
    url: "/api/dashboard/recent-activity",
    summary: "What happened last",
    description: "Status changes, incidents, and what people changed, newest first.",
    querystring: ActivityQuery,
    response: Type.Array(Activity),
    async handler(own, { query }) {
      return { data: (await listRecentActivity(own, query)).map(projectActivity) };
    },
  });
}
