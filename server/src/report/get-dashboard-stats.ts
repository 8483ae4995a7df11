import type { CallerContext } from "../context.ts";
import { type MonitorStats, monitorStats } from "../monitor/monitor-stats.ts";
import { countActiveIncidents } from "../store/queries/incidents.ts";
import { countMonitorsByStatus, type StatusCounts } from "../store/queries/monitor-figures.ts";

export interface DashboardStats {
  domains: MonitorStats;
  services: StatusCounts;
  devices: { total: number; online: number; offline: number };
  /** Unresolved ones. */
  incidents: { active: number; critical: number };
}

/** How everything in the caller's organization is doing. */
export async function getDashboardStats(ctx: CallerContext): Promise<DashboardStats> {
  const { db } = ctx.store;
  const { organizationId } = ctx.caller;
  return {
    domains: await monitorStats(ctx, { kind: "domain" }),
    services: await countMonitorsByStatus(db, organizationId, "service"),
    // No device can be enrolled yet, so none is the count.
    devices: { total: 0, online: 0, offline: 0 },
    incidents: await countActiveIncidents(db, organizationId),
  };
}
