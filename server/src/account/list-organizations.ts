import type { CallerContext } from "../context.ts";
import { listOrganizationsOf, type OwnOrganization } from "../store/queries/organizations.ts";

/** Every organization the caller belongs to, oldest first. */
export const listOrganizations = (ctx: CallerContext): Promise<OwnOrganization[]> =>
  listOrganizationsOf(ctx.store.db, ctx.caller.userId);
