import { markPaused } from "../pipeline.ts";
import { markMonitorsDeleted } from "../store/queries/monitor-changes.ts";
import type { Monitor } from "../store/queries/monitors.ts";
import type { Running } from "../verb/verb.ts";
import { announceChange } from "./announce-change.ts";
import { lockMonitor } from "./require-monitor.ts";

/**
 * Stops monitoring something and forgets its secrets. Its target and name are free again at once, its
 * history goes with retention. Throws 404.
 */
export async function deleteMonitor(ctx: Running, found: Monitor): Promise<{ id: number; uuid: string }> {
  const now = ctx.clock.now();
  const { id, uuid, kind, name } = await lockMonitor(ctx, found);
  await markPaused(ctx.db, [id], now, "deleted");
  await markMonitorsDeleted(ctx.db, [id], now);
  await announceChange(ctx, kind, [id], { areGone: true });
  ctx.record({ id, name });
  return { id, uuid };
}
