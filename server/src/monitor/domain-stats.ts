import { organizationScope } from "../account/resolve-organization.ts";
import type { CallerContext } from "../context.ts";
import { bucketStart } from "../result/range.ts";
import {
  countMonitorsByStatus,
  listMonitorIds,
  type StatusCounts,
  sumOrganizationChecks,
} from "../store/queries/monitor-figures.ts";
import { uptimeByMonitor } from "../store/queries/transitions.ts";
import { FIGURES_WINDOW_MS } from "./domain.ts";

export interface DomainStats extends StatusCounts {
  /** Mean of the passed checks of the last 24 hours, microseconds; null without any. */
  averageUs: number | null;
  /** Mean of the domains' uptimes over the last 24 hours, 0…100; null while none is known. */
  averageUptime: number | null;
}

/** How an organization's domains are doing, as a whole. Throws 404 for an organization that is not the caller's. */
export async function domainStats(
  ctx: CallerContext,
  input: { organization?: string | undefined },
): Promise<DomainStats> {
  const { db } = ctx.store;
  const now = ctx.clock.now();
  const organizationId = await organizationScope(ctx, input.organization);
  const from = now - FIGURES_WINDOW_MS;
  const counts = await countMonitorsByStatus(db, organizationId, "domain");
  const sums = await sumOrganizationChecks(db, {
    organizationId,
    kind: "domain",
    from: bucketStart(from, 3600),
    periodSeconds: 3600,
  });
  const ids = await listMonitorIds(db, organizationId, "domain");
  const uptimes = [...(await uptimeByMonitor(db, ids, from, now)).values()].filter((value) => value !== null);
  return {
    ...counts,
    averageUs: sums.timed === 0 ? null : sums.sumUs / sums.timed,
    averageUptime:
      uptimes.length === 0 ? null : uptimes.reduce((sum, value) => sum + value, 0) / uptimes.length,
  };
}
