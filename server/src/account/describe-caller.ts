import type { CallerContext } from "../context.ts";
import { unauthenticated } from "../errors.ts";
import type { OwnOrganization } from "../store/queries/organizations.ts";
import { findUser, type User } from "../store/queries/users.ts";
import { organizationsOf } from "./resolve-organization.ts";

export interface CallerDescription {
  user: User;
  organization: OwnOrganization;
  organizations: OwnOrganization[];
  /** What the caller's key permits; a session permits whatever the role does. */
  scopes: readonly string[];
}

/** Who is calling, where, and where else they could. */
export async function describeCaller(ctx: CallerContext): Promise<CallerDescription> {
  const user = await findUser(ctx.store.db, ctx.caller.userId);
  const organizations = await organizationsOf(ctx, ctx.store.db);
  const organization = organizations.find(({ id }) => id === ctx.caller.organizationId);
  if (!user || !organization) throw unauthenticated();
  return { user, organization, organizations, scopes: ctx.caller.scopes };
}
