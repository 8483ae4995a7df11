import type { CallerContext } from "../context.ts";
import { notFound } from "../errors.ts";
import { findOrganizationOf, type OwnOrganization } from "../store/queries/organizations.ts";
import { organizationScope } from "./resolve-organization.ts";

/** One of the caller's organizations by id, uuid or slug. Throws 404 for any other. */
export async function getOrganization(
  ctx: CallerContext,
  input: { organization: string },
): Promise<OwnOrganization> {
  const id = await organizationScope(ctx, input.organization);
  const organization = await findOrganizationOf(ctx.store.db, ctx.caller.userId, { id });
  if (!organization) throw notFound();
  return organization;
}
