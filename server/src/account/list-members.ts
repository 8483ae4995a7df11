import { Type } from "typebox";
import { listMembers as queryMembers } from "../store/queries/members.ts";
import { verb } from "../verb/verb.ts";
import { IdText } from "../wire/field.ts";
import { OrganizationMember, projectMember } from "../wire/organizations.ts";
import { PageQuery, pageOf } from "../wire/page.ts";
import { findOrganizationNamed } from "./resolve-organization.ts";

/** The people of one of the caller's organizations, in the order they joined. Throws 404 for any other. */
export const listMembers = verb({
  resource: "organization",
  action: "read",
  input: Type.Object({ organization: IdText, ...PageQuery }),
  output: Type.Array(OrganizationMember),
  paged: true,
  find: findOrganizationNamed,
  async run({ db, caller }, input) {
    return pageOf((await queryMembers(db, caller.organizationId)).map(projectMember), input);
  },
});
