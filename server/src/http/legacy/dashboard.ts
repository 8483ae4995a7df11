import type { FastifyInstance } from "fastify";
import { Type } from "typebox";
import type { Context } from "../../context.ts";
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
import { defineRoute } from "../route.ts";

const facts = { family: "legacy", resource: "dashboard", method: "GET" } as const;

/** The first look: figures, and what happened last. */
export function registerDashboard(app: FastifyInstance, ctx: Context): void {
  defineRoute(app, ctx, {
    ...{ ...facts, url: "/api/dashboard/stats" },
    summary: "Figures of everything together",
    querystring: DashboardQuery,
    response: DashboardStats,
    async handler(own, { query }) {
      const stats = await getDashboardStats(own, { organization: query.organizationId });
      return { data: projectDashboardStats(stats) };
    },
  });
  defineRoute(app, ctx, {
    ...{ ...facts, url: "/api/dashboard/recent-activity" },
    summary: "What happened last",
    description: "Status changes, incidents, and what people changed, newest first.",
    querystring: ActivityQuery,
    response: Type.Array(Activity),
    async handler(own, { query: { organizationId: organization, limit } }) {
      return { data: (await listRecentActivity(own, { organization, limit })).map(projectActivity) };
    },
  });
}
