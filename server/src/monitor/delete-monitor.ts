import type { CallerContext } from "../context.ts";
import { markPaused } from "../status/pause-monitor.ts";
import { markMonitorsDeleted } from "../store/queries/monitor-changes.ts";
import { announceChange, recordChange } from "./announce-change.ts";
import type { OneMonitor } from "./monitor.ts";
import { inMonitorsOrganization, lockMonitor } from "./require-monitor.ts";

/**
 * Stops monitoring something and forgets its secrets. Its target and name are free again at once, its
 * history goes with retention. Throws 404.
 */
export async function deleteMonitor(
  ctx: CallerContext,
  which: OneMonitor,
): Promise<{ id: number; uuid: string; name: string }> {
  const now = ctx.clock.now();
  const own = await inMonitorsOrganization(ctx, which);
  const { id, uuid, name } = await ctx.store.transaction(async (trx) => {
    const monitor = await lockMonitor(own, which, trx);
    await markPaused(trx, [monitor.id], now, "deleted");
    await markMonitorsDeleted(trx, [monitor.id], now);
    const { organizationId } = monitor;
    recordChange(trx, { organizationId, kind: which.kind, monitorIds: [monitor.id] }, now);
    return monitor;
  });
  announceChange(ctx, [id]);
  return { id, uuid, name };
}
