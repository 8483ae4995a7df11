import type { CallerContext } from "../context.ts";
import { unauthenticated } from "../errors.ts";
import {
  type Invitation,
  listInvitationsOf,
  type OwnInvitation,
  listInvitations as queryInvitations,
} from "../store/queries/invitations.ts";
import { findUser } from "../store/queries/users.ts";
import { isGood } from "./own-invitation.ts";
import { organizationScope } from "./resolve-organization.ts";

/** An organization's open invitations, newest first. Throws 404 if it is not the caller's. */
export async function listInvitations(
  ctx: CallerContext,
  input: { organization: string },
): Promise<Invitation[]> {
  const organizationId = await organizationScope(ctx, input.organization);
  return queryInvitations(ctx.store.db, organizationId, ctx.clock.now());
}

/** The caller's own open invitations, newest first. */
export async function listOwnInvitations(ctx: CallerContext): Promise<OwnInvitation[]> {
  const user = await findUser(ctx.store.db, ctx.caller.userId);
  if (!user) throw unauthenticated();
  return (await listInvitationsOf(ctx.store.db, user.email, ctx.clock.now())).filter(isGood);
}
