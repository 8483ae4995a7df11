import { organizationScope } from "../account/resolve-organization.ts";
import type { CallerContext } from "../context.ts";
import { type DomainStats, domainStats } from "../monitor/domain-stats.ts";
import { countActiveIncidents } from "../store/queries/incidents.ts";
import { countMonitorsByStatus, type StatusCounts } from "../store/queries/monitor-figures.ts";

export interface DashboardStats {
  domains: DomainStats;
  services: StatusCounts;
  devices: { total: number; online: number; offline: number };
  /** Unresolved ones. */
  incidents: { active: number; critical: number };
}

/** How everything in an organization is doing. Throws 404 for an organization that is not the caller's. */
export async function getDashboardStats(
  ctx: CallerContext,
  input: { organization?: string | undefined },
): Promise<DashboardStats> {
  const { db } = ctx.store;
  const organizationId = await organizationScope(ctx, input.organization);
  return {
    domains: await domainStats(ctx, input),
    services: await countMonitorsByStatus(db, organizationId, "service"),
    // No device can be enrolled yet, so none is the count.
    devices: { total: 0, online: 0, offline: 0 },
    incidents: await countActiveIncidents(db, organizationId),
  };
}
