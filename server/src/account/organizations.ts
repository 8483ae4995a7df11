import { Type } from "typebox";
import { notFound } from "../errors.ts";
import { findOrganizationOf } from "../store/queries/organizations.ts";
import { verb } from "../verb/verb.ts";
import { IdText } from "../wire/field.ts";
import { Organization, projectOrganization } from "../wire/organizations.ts";
import { PageQuery, pageOf } from "../wire/page.ts";
import { findOrganizationNamed, organizationsOf } from "./resolve-organization.ts";

const reads = { resource: "organization", action: "read" } as const;

/** Every organization the caller may act in, oldest first. */
export const listOrganizations = verb({
  ...reads,
  input: Type.Object(PageQuery),
  output: Type.Array(Organization),
  paged: true,
  async run(ctx, input) {
    return pageOf((await organizationsOf(ctx, ctx.db)).map(projectOrganization), input);
  },
});

/** One of the caller's organizations by id, uuid or slug. Throws 404 for any other. */
export const getOrganization = verb({
  ...reads,
  input: Type.Object({ organization: IdText }),
  output: Organization,
  find: findOrganizationNamed,
  async run({ db, caller }) {
    const organization = await findOrganizationOf(db, caller.userId, { id: caller.organizationId });
    if (!organization) throw notFound();
    return projectOrganization(organization);
  },
});
