import { Type } from "typebox";
import { notFound } from "../errors.ts";
import { findOrganization, updateOrganization } from "../store/queries/organizations.ts";
import { verb } from "../verb/verb.ts";
import { oneOf } from "../wire/field.ts";
import { endAccess } from "./ended-access.ts";
import { parseOrganizationKey } from "./organization-key.ts";
import { PLANS, type PlanName } from "./plans.ts";

/**
 * Puts an organization (id, uuid, slug or name) on a plan; `reports` turns the add-on on or off,
 * absent leaves it. Throws 404 for an unknown organization, 422 for an unknown plan.
 */
export const setPlan = verb({
  by: "operator",
  resource: null,
  action: "write",
  audit: null,
  input: Type.Object({
    organization: Type.String(),
    plan: oneOf(Object.keys(PLANS) as PlanName[]),
    reports: Type.Optional(Type.Boolean()),
  }),
  output: Type.Object({ slug: Type.String(), plan: Type.String(), reports: Type.Boolean() }),
  async run(ctx, { organization: named, plan, reports }) {
    const { db } = ctx;
    const organization =
      (await findOrganization(db, parseOrganizationKey(named))) ??
      (await findOrganization(db, { name: named }));
    if (!organization) throw notFound();
    const { id, slug } = organization;
    await updateOrganization(db, id, { plan, reports }, ctx.clock.now());
    endAccess(ctx, { of: "organization", organizationId: id });
    return { slug, plan, reports: reports ?? organization.reports };
  },
});
