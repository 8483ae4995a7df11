import { Type } from "typebox";
import { monitorStats } from "../monitor/monitor-stats.ts";
import { countMonitorsByStatus } from "../store/queries/activity.ts";
import { countActiveIncidents, listUnnotifiedIncidents } from "../store/queries/incidents.ts";
import { verb } from "../verb/verb.ts";
import { DashboardStats, projectDashboardStats } from "../wire/dashboard.ts";

/** A channel has so long to be notified of an outage before people are warned. */
const NOTIFIED_WITHIN_MS = 120_000;
const MAX_UNNOTIFIED = 10;

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
      incidents: {
        ...(await countActiveIncidents(db, organizationId)),
        unnotified: await listUnnotifiedIncidents(db, organizationId, {
          before: ctx.clock.now() - NOTIFIED_WITHIN_MS,
          limit: MAX_UNNOTIFIED,
        }),
      },
    });
  },
});
