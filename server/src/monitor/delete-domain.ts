import type { CallerContext } from "../context.ts";
import { markPaused } from "../status/pause-monitor.ts";
import { markMonitorsDeleted } from "../store/queries/monitor-changes.ts";
import { announceChange, recordChange } from "./announce-change.ts";
import type { DomainRef } from "./domain.ts";
import { inDomainsOrganization, lockDomain } from "./require-domain.ts";

/**
 * Stops monitoring a domain and forgets its secrets. Its URL and name are free again at once, its
 * history goes with retention. Throws 404.
 */
export async function deleteDomain(
  ctx: CallerContext,
  input: DomainRef,
): Promise<{ id: number; uuid: string; name: string }> {
  const now = ctx.clock.now();
  const own = await inDomainsOrganization(ctx, input.ref);
  const { id, uuid, name } = await ctx.store.transaction(async (trx) => {
    const monitor = await lockDomain(own, input.ref, trx);
    await markPaused(trx, [monitor.id], now, "deleted");
    await markMonitorsDeleted(trx, [monitor.id], now);
    recordChange(trx, { organizationId: monitor.organizationId, monitorIds: [monitor.id] }, now);
    return monitor;
  });
  announceChange(ctx, [id]);
  return { id, uuid, name };
}
