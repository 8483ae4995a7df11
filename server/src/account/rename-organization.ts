import type { CallerContext } from "../context.ts";
import { notFound } from "../errors.ts";
import {
  findOrganizationOf,
  type OwnOrganization,
  updateOrganization,
} from "../store/queries/organizations.ts";
import { checkName } from "./name.ts";
import { organizationScope } from "./resolve-organization.ts";

/** Renames one of the caller's organizations; its slug stays, since it stands in addresses. Throws 403, 404 or 422. */
export async function renameOrganization(
  ctx: CallerContext,
  input: { organization: string; name: string },
): Promise<OwnOrganization> {
  const id = await organizationScope(ctx, input.organization);
  await updateOrganization(ctx.store.db, id, { name: checkName(input.name) }, ctx.clock.now());
  const organization = await findOrganizationOf(ctx.store.db, ctx.caller.userId, { id });
  if (!organization) throw notFound();
  return organization;
}
