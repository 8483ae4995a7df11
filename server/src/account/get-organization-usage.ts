import { countOwned } from "../store/queries/organizations.ts";
import { verb } from "../verb/verb.ts";
import { OrganizationRef, projectUsage, Usage } from "../wire/organizations.ts";
import { MAX_OPEN_INVITATIONS } from "./invite-member.ts";
import { planOf } from "./plans.ts";
import { findOrganizationNamed } from "./resolve-organization.ts";

/** An organization's plan, and what of it is used. Throws 404 if it is not the caller's. */
export const getOrganizationUsage = verb({
  resource: "organization",
  action: "read",
  input: OrganizationRef,
  output: Usage,
  find: findOrganizationNamed,
  async run({ db, caller, clock }) {
    const { organizationId, plan, reports } = caller;
    const used = await countOwned(db, organizationId, clock.now());
    return projectUsage({ plan: planOf(plan), reports, used, invitations: MAX_OPEN_INVITATIONS });
  },
});
