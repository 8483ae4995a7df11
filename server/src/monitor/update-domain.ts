import { planOf } from "../account/plans.ts";
import type { CallerContext } from "../context.ts";
import { adoptSettings } from "../status/adopt-settings.ts";
import { markPaused, markResumed } from "../status/pause-monitor.ts";
import { listLocations } from "../store/queries/locations.ts";
import { forgetTarget, lockOrganizationMonitors, updateMonitor } from "../store/queries/monitors.ts";
import { lockStates } from "../store/queries/states.ts";
import { announceChange, recordChange } from "./announce-change.ts";
import type { DomainRef } from "./domain.ts";
import { applyInput, isSameCheck } from "./domain-settings.ts";
import { type DomainDetail, getDomain } from "./get-domain.ts";
import { refuseProblems } from "./refuse-problems.ts";
import { inDomainsOrganization, lockDomain } from "./require-domain.ts";
import { openSettings, sealSettings } from "./sealed-settings.ts";
import type { DomainInput } from "./settings.ts";

/**
 * Changes what is given of a domain and leaves the rest. Switching `enabled` off pauses it, which
 * ends an open outage. Throws 404, or 422 with every field that is wrong.
 */
export async function updateDomain(
  ctx: CallerContext,
  input: DomainRef & { changes: DomainInput },
): Promise<DomainDetail> {
  const own = await inDomainsOrganization(ctx, input.ref);
  const { organizationId } = own.caller;
  const plan = planOf(own.caller.plan);
  const now = ctx.clock.now();
  const id = await ctx.store.transaction(async (trx) => {
    await lockOrganizationMonitors(trx, organizationId);
    const before = await lockDomain(own, input.ref, trx);
    const facts = { plan, locations: await listLocations(trx), targets: ctx.network.policy };
    const base = openSettings(ctx.secrets, before);
    const { settings, problems } = applyInput(base, input.changes, facts);
    await refuseProblems(trx, { organizationId, exceptId: before.id, settings, problems });
    // First of all: results of this monitor lock its state first too, and everything else after it.
    const watched = await lockStates(trx, [before.id]);
    const revision = await updateMonitor(trx, before.id, sealSettings(ctx.secrets, settings), now);
    const targetRevision = isSameCheck(base, settings) ? null : revision;
    for (const monitor of watched) await adoptSettings(trx, monitor, { ...settings, targetRevision }, now);
    if (settings.url !== before.url) await forgetTarget(trx, before.id);
    if (before.enabled && !settings.enabled) await markPaused(trx, [before.id], now);
    if (!before.enabled && settings.enabled) await markResumed(trx, [before.id], now);
    recordChange(trx, { organizationId, monitorIds: [before.id] }, now);
    return before.id;
  });
  announceChange(ctx, [id]);
  return getDomain(own, { ref: { id } });
}
