import { Type } from "typebox";
import { notFound } from "../errors.ts";
import { findOrganizationOf, updateOrganization } from "../store/queries/organizations.ts";
import { verb } from "../verb/verb.ts";
import { OrganizationName } from "../wire/credentials.ts";
import { IdText } from "../wire/field.ts";
import { Organization, projectOrganization } from "../wire/organizations.ts";
import { checkName } from "./name.ts";
import { findOrganizationNamed } from "./resolve-organization.ts";

/** Renames one of the caller's organizations; its slug stays, since it stands in addresses. Throws 403, 404 or 422. */
export const renameOrganization = verb({
  resource: "organization",
  action: "write",
  audit: "update organization",
  input: Type.Object({ organization: IdText, ...OrganizationName.properties }, { title: "OrganizationName" }),
  output: Organization,
  find: findOrganizationNamed,
  async run({ db, caller, clock }, input) {
    const id = caller.organizationId;
    await updateOrganization(db, id, { name: checkName(input.name) }, clock.now());
    const organization = await findOrganizationOf(db, caller.userId, { id });
    if (!organization) throw notFound();
    return projectOrganization(organization);
  },
});
