import { organizationScope } from "../account/resolve-organization.ts";
import type { CallerContext } from "../context.ts";
import type { Db } from "../store/open.ts";
import { sumChecks } from "../store/queries/check-sums.ts";
import {
  countMonitorsByStatus,
  readStandingMonitors,
  type StandingMonitors,
  type StatusCounts,
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
  const which = { organizationId, kind: "domain" } as const;
  const counts = await countMonitorsByStatus(db, organizationId, "domain");
  const standing = await readStandingMonitors(db, { ...which, from, to: now });
  const sums = await sumChecks(db, { monitorIds: standing.monitorIds, from, now });
  return {
    ...counts,
    averageUs: sums.timed === 0 ? null : sums.sumUs / sums.timed,
    averageUptime: await averageUptime(db, standing, { from, to: now }),
  };
}

/** Of those that have not changed in the whole time it is known without their history. */
async function averageUptime(
  db: Db,
  { up, down, changedIds }: StandingMonitors,
  { from, to }: { from: number; to: number },
): Promise<number | null> {
  const uptimes = changedIds.length === 0 ? new Map() : await uptimeByMonitor(db, changedIds, from, to);
  let known = up + down;
  let sum = 100 * up;
  for (const uptime of uptimes.values()) {
    if (uptime === null) continue;
    known += 1;
    sum += uptime;
  }
  return known === 0 ? null : sum / known;
}
