import { Type } from "typebox";
import { monitorStats } from "../monitor/monitor-stats.ts";
import { countActiveIncidents } from "../store/queries/incidents.ts";
import { countMonitorsByStatus } from "../store/queries/monitor-figures.ts";
import { verb } from "../verb/verb.ts";
import { DashboardStats, projectDashboardStats } from "../wire/dashboard.ts";

/** How everything in the caller's organization is doing. */
export const getDashboardStats = verb({
  resource: "dashboard",
  action: "read",
  input: Type.Object({}),
  output: DashboardStats,
  async run(ctx) {
    const { db } = ctx;
    const { organizationId } = ctx.caller;
    return projectDashboardStats({
      domains: await monitorStats(ctx, { kind: "domain" }),
      services: await countMonitorsByStatus(db, organizationId, "service"),
      devices: await countMonitorsByStatus(db, organizationId, "device"),
      incidents: await countActiveIncidents(db, organizationId),
    });
  },
});
