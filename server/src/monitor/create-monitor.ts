import { randomUUIDv7 } from "node:crypto";
import { planOf } from "../account/plans.ts";
import { assertQuota } from "../account/quota.ts";
import type { CallerContext } from "../context.ts";
import { createState } from "../status/pause-monitor.ts";
import { listLocations } from "../store/queries/locations.ts";
import { countOwnedMonitors, insertMonitor, lockOrganizationMonitors } from "../store/queries/monitors.ts";
import { announceChange, recordChange } from "./announce-change.ts";
import { applyInput, newMonitor } from "./apply-input.ts";
import { getMonitor, type MonitorDetail } from "./get-monitor.ts";
import { MONITOR_KIND_FACTS } from "./kinds.ts";
import type { OfKind } from "./monitor.ts";
import { refuseProblems } from "./refuse-problems.ts";
import { sealSettings } from "./sealed-settings.ts";
import type { MonitorInput } from "./settings.ts";

/**
 * Starts monitoring something. Throws 422 with every field that is wrong, and 403 when the plan's number
 * of monitors is reached.
 */
export async function createMonitor(
  ctx: CallerContext,
  { kind, settings: given }: OfKind & { settings: MonitorInput },
): Promise<MonitorDetail> {
  const { organizationId } = ctx.caller;
  const plan = planOf(ctx.caller.plan);
  const type = MONITOR_KIND_FACTS[kind].type ?? given.type ?? "";
  const now = ctx.clock.now();
  const id = await ctx.store.transaction(async (trx) => {
    await lockOrganizationMonitors(trx, organizationId);
    const facts = { kind, plan, locations: await listLocations(trx), targets: ctx.network.policy };
    const { settings, problems } = applyInput(newMonitor(plan, type), given, facts);
    await refuseProblems(trx, { organizationId, kind, exceptId: null, settings, problems });
    assertQuota(
      "monitors (domains and services)",
      await countOwnedMonitors(trx, organizationId),
      plan.monitors,
    );
    const stored = sealSettings(ctx.secrets, settings);
    const newId = await insertMonitor(trx, { ...stored, uuid: randomUUIDv7(), organizationId, kind }, now);
    await createState(trx, newId, now);
    recordChange(trx, { organizationId, kind, monitorIds: [newId] }, now);
    return newId;
  });
  announceChange(ctx, [id]);
  return getMonitor(ctx, { kind, ref: { id } });
}
