import type { MonitorSummary } from "../store/queries/monitor-names.ts";
import type { Running } from "../verb/verb.ts";
import { FIGURES_WINDOW_MS, type OfKind } from "./monitor.ts";

/** Means of the last 24 hours. */
export type MonitorStats = MonitorSummary;

/** How the monitors of a kind of the caller's organization are doing, as a whole. */
export async function monitorStats(ctx: Running, { kind }: OfKind): Promise<MonitorStats> {
  const { organizationId } = ctx.caller;
  const to = ctx.clock.now();
  const from = to - FIGURES_WINDOW_MS;
  return ctx.readAside("readMonitorSummary", { organizationId, kind, from, to });
}
