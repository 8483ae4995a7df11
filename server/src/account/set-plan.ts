import type { Context } from "../context.ts";
import { invalidInput, notFound } from "../errors.ts";
import { findOrganization, type Organization, updateOrganization } from "../store/queries/organizations.ts";
import { recordEndedAccess } from "./ended-access.ts";
import { parseOrganizationKey } from "./organization-key.ts";
import { PLANS } from "./plans.ts";

/**
 * Puts an organization (id, uuid, slug or name) on a plan; `reports` turns the add-on on or off,
 * absent leaves it. Throws 404 for an unknown organization, 422 for an unknown plan.
 */
export async function setPlan(
  ctx: Context,
  input: { organization: string; plan: string; reports?: boolean },
): Promise<Organization> {
  if (!Object.hasOwn(PLANS, input.plan)) {
    const names = Object.keys(PLANS).join(", ");
    throw invalidInput({ plan: [`The selected plan is invalid. It must be one of: ${names}.`] });
  }
  const { db } = ctx.store;
  const organization =
    (await findOrganization(db, parseOrganizationKey(input.organization))) ??
    (await findOrganization(db, { name: input.organization }));
  if (!organization) throw notFound();
  const change = { plan: input.plan, reports: input.reports };
  const now = ctx.clock.now();
  await ctx.store.transaction(async (trx) => {
    await updateOrganization(trx, organization.id, change, now);
    recordEndedAccess(trx, { of: "organization", organizationId: organization.id }, now);
  });
  ctx.live.wake();
  return { ...organization, plan: input.plan, reports: input.reports ?? organization.reports };
}
