import type { CallerContext } from "../context.ts";
import type { MonitorSummary } from "../store/queries/monitor-summary.ts";
import { FIGURES_WINDOW_MS } from "./domain.ts";

/** Means of the last 24 hours. */
export type DomainStats = MonitorSummary;

/** How the domains of the caller's organization are doing, as a whole. */
export async function domainStats(ctx: CallerContext): Promise<DomainStats> {
  const { organizationId } = ctx.caller;
  const to = ctx.clock.now();
  const from = to - FIGURES_WINDOW_MS;
  return ctx.store.readAside("readMonitorSummary", { organizationId, kind: "domain", from, to });
}
