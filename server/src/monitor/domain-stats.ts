import { organizationScope } from "../account/resolve-organization.ts";
import type { CallerContext } from "../context.ts";
import type { MonitorSummary } from "../store/queries/monitor-summary.ts";
import { FIGURES_WINDOW_MS } from "./domain.ts";

/** Means of the last 24 hours. */
export type DomainStats = MonitorSummary;

/** How an organization's domains are doing, as a whole. Throws 404 for an organization that is not the caller's. */
export async function domainStats(
  ctx: CallerContext,
  input: { organization?: string | undefined },
): Promise<DomainStats> {
  const organizationId = await organizationScope(ctx, input.organization);
  const to = ctx.clock.now();
  const from = to - FIGURES_WINDOW_MS;
  return ctx.store.readAside("readMonitorSummary", { organizationId, kind: "domain", from, to });
}
