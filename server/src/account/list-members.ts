import type { CallerContext } from "../context.ts";
import { type Member, listMembers as queryMembers } from "../store/queries/members.ts";
import { organizationScope } from "./resolve-organization.ts";

/** The people of one of the caller's organizations, in the order they joined. Throws 404 for any other. */
export async function listMembers(ctx: CallerContext, input: { organization: string }): Promise<Member[]> {
  return queryMembers(ctx.store.db, await organizationScope(ctx, input.organization));
}
