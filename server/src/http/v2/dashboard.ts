import type { FastifyInstance } from "fastify";
import { Type } from "typebox";
import type { Context } from "../../context.ts";
import { getDashboardStats } from "../../report/get-dashboard-stats.ts";
import { listRecentActivity } from "../../report/list-recent-activity.ts";
import {
  Activity,
  DashboardStats,
  projectActivity,
  projectDashboardStats,
} from "../../wire/legacy/dashboard.ts";
import { V2Activity, V2ActivityQuery, V2DashboardQuery, V2DashboardStats } from "../../wire/v2/dashboard.ts";
import { toSnake } from "../../wire/v2/snake-case.ts";
import { defineRoute } from "../route.ts";

const facts = { family: "v2", resource: "dashboard", method: "GET" } as const;

/** The first look: figures, and what happened last. */
export function registerV2Dashboard(app: FastifyInstance, ctx: Context): void {
  defineRoute(app, ctx, {
    ...{ ...facts, url: "/v2/dashboard/stats" },
    summary: "Figures of everything together",
    querystring: V2DashboardQuery,
    response: V2DashboardStats,
    async handler(own, { query }) {
      return { data: toSnake(DashboardStats, projectDashboardStats(await getDashboardStats(own, query))) };
    },
  });
  defineRoute(app, ctx, {
    ...{ ...facts, url: "/v2/dashboard/recent-activity" },
    summary: "What happened last",
    description: "Status changes, incidents, and what people changed, newest first.",
    querystring: V2ActivityQuery,
    response: Type.Array(V2Activity),
    async handler(own, { query }) {
      const activity = await listRecentActivity(own, query);
      return { data: activity.map((item) => toSnake(Activity, projectActivity(item))) };
    },
  });
}
