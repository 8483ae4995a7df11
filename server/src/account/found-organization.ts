import { PublicError } from "../errors.ts";
import { fact } from "../texts/fact.ts";
import { verb } from "../verb/verb.ts";
import { OrganizationName } from "../wire/credentials.ts";
import { Organization, projectOrganization } from "../wire/organizations.ts";
import { createOrganization } from "./create-organization.ts";
import { checkName } from "./name.ts";

/**
 * Creates another organization, which the caller owns. Throws 422 for an empty or overlong name, 403 for a key that
 * could not act in it.
 */
export const foundOrganization = verb({
  resource: "organization",
  action: "write",
  audit: "create organization",
  input: OrganizationName,
  output: Organization,
  async run(ctx, input) {
    const { allOrganizations, userId } = ctx.caller;
    if (!allOrganizations) throw ownOnly();
    const founding = { name: checkName(input.name), ownerId: userId };
    return projectOrganization(await createOrganization(ctx, founding));
  },
});

const ownOnly = () => new PublicError("forbidden", fact("access.own_organization"));
