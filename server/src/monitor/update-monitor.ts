import { planOf } from "../account/plans.ts";
import type { CallerContext } from "../context.ts";
import { adoptSettings } from "../status/adopt-settings.ts";
import { markPaused, markResumed } from "../status/pause-monitor.ts";
import { listLocations } from "../store/queries/locations.ts";
import { forgetTarget, lockOrganizationMonitors, saveSettings } from "../store/queries/monitors.ts";
import { lockStates } from "../store/queries/states.ts";
import { announceChange, recordChange } from "./announce-change.ts";
import { applyInput, isSameCheck } from "./apply-input.ts";
import { getMonitor, type MonitorDetail } from "./get-monitor.ts";
import type { OneMonitor } from "./monitor.ts";
import { refuseProblems } from "./refuse-problems.ts";
import { inMonitorsOrganization, lockMonitor } from "./require-monitor.ts";
import { openSettings, sealSettings } from "./sealed-settings.ts";
import type { MonitorInput } from "./settings.ts";

/**
 * Changes what is given of a monitor and leaves the rest. Switching `enabled` off pauses it, which
 * ends an open outage. Throws 404, or 422 with every field that is wrong.
 */
export async function updateMonitor(
  ctx: CallerContext,
  { changes, ...which }: OneMonitor & { changes: MonitorInput },
): Promise<MonitorDetail> {
  const { kind } = which;
  const own = await inMonitorsOrganization(ctx, which);
  const { organizationId } = own.caller;
  const plan = planOf(own.caller.plan);
  const now = ctx.clock.now();
  const id = await ctx.store.transaction(async (trx) => {
    await lockOrganizationMonitors(trx, organizationId);
    const before = await lockMonitor(own, which, trx);
    const facts = { kind, plan, locations: await listLocations(trx), targets: ctx.network.policy };
    const base = openSettings(ctx.secrets, before);
    const { settings, problems } = applyInput(base, changes, facts);
    await refuseProblems(trx, { organizationId, kind, exceptId: before.id, settings, problems });
    // First of all: results of this monitor lock its state first too, and everything else after it.
    const watched = await lockStates(trx, [before.id]);
    const revision = await saveSettings(trx, before.id, sealSettings(ctx.secrets, settings), now);
    const targetRevision = isSameCheck(base, settings) ? null : revision;
    for (const monitor of watched) await adoptSettings(trx, monitor, { ...settings, targetRevision }, now);
    if (settings.target !== before.target) await forgetTarget(trx, before.id);
    if (before.enabled && !settings.enabled) await markPaused(trx, [before.id], now);
    if (!before.enabled && settings.enabled) await markResumed(trx, [before.id], now);
    recordChange(trx, { organizationId, kind, monitorIds: [before.id] }, now);
    return before.id;
  });
  announceChange(ctx, [id]);
  return getMonitor(own, { kind, ref: { id } });
}
