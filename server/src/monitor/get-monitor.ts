import type { CallerContext } from "../context.ts";
import { notFound } from "../errors.ts";
import { findListedMonitor, type LastResult, readLastResult } from "../store/queries/monitor-list.ts";
import { uptimeByMonitor } from "../store/queries/transitions.ts";
import { rulesOf } from "./check-rules.ts";
import { FIGURES_WINDOW_MS, type OneMonitor, type ShownMonitor } from "./monitor.ts";
import { requireMonitor } from "./require-monitor.ts";
import { openSettings } from "./sealed-settings.ts";
import type { MonitorSettings } from "./settings.ts";

/** A monitor with its settings and its last result. Credentials are hidden. */
export interface MonitorDetail extends ShownMonitor {
  settings: MonitorSettings;
  lastResult: LastResult;
}

/** One monitor in full. Throws 404. */
export async function getMonitor(ctx: CallerContext, which: OneMonitor): Promise<MonitorDetail> {
  const { db } = ctx.store;
  const now = ctx.clock.now();
  const monitor = await requireMonitor(ctx, which);
  const { id, organizationId } = monitor;
  const listed = await findListedMonitor(db, { organizationId, kind: which.kind, ref: { id } });
  // Deleted since the previous line.
  if (!listed) throw notFound();
  const uptimes = await uptimeByMonitor(db, [id], now - FIGURES_WINDOW_MS, now);
  const settings = openSettings(ctx.secrets, monitor);
  return {
    ...listed,
    uptimePercentage: uptimes.get(id) ?? null,
    settings: { ...settings, config: rulesOf(settings.type).shown(settings.config) },
    lastResult: await readLastResult(db, id),
  };
}
