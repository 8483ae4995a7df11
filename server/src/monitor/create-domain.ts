import { randomUUIDv7 } from "node:crypto";
import { planOf } from "../account/plans.ts";
import { assertQuota } from "../account/quota.ts";
import type { CallerContext } from "../context.ts";
import { createState } from "../status/pause-monitor.ts";
import { listLocations } from "../store/queries/locations.ts";
import { countOwnedMonitors, insertMonitor, lockOrganizationMonitors } from "../store/queries/monitors.ts";
import { announceChange, recordChange } from "./announce-change.ts";
import { applyInput, newDomain } from "./domain-settings.ts";
import { type DomainDetail, getDomain } from "./get-domain.ts";
import { refuseProblems } from "./refuse-problems.ts";
import { sealSettings } from "./sealed-settings.ts";
import type { DomainInput } from "./settings.ts";

/**
 * Starts monitoring a URL. Throws 422 with every field that is wrong, and 403 when the plan's number
 * of monitors is reached.
 */
export async function createDomain(ctx: CallerContext, input: DomainInput): Promise<DomainDetail> {
  const { organizationId } = ctx.caller;
  const plan = planOf(ctx.caller.plan);
  const now = ctx.clock.now();
  const id = await ctx.store.transaction(async (trx) => {
    await lockOrganizationMonitors(trx, organizationId);
    const facts = { plan, locations: await listLocations(trx), targets: ctx.network.policy };
    const { settings, problems } = applyInput(newDomain(plan), { url: "", ...input }, facts);
    await refuseProblems(trx, { organizationId, exceptId: null, settings, problems });
    assertQuota(
      "monitors (domains and services)",
      await countOwnedMonitors(trx, organizationId),
      plan.monitors,
    );
    const stored = sealSettings(ctx.secrets, settings);
    const identity = { uuid: randomUUIDv7(), organizationId, kind: "domain", type: "http" } as const;
    const newId = await insertMonitor(trx, { ...stored, ...identity }, now);
    await createState(trx, newId, now);
    recordChange(trx, { organizationId, monitorIds: [newId] }, now);
    return newId;
  });
  announceChange(ctx, [id]);
  return getDomain(ctx, { ref: { id } });
}
