import type { CallerContext } from "../context.ts";
import { notFound, unauthenticated } from "../errors.ts";
import type { Db } from "../store/db.ts";
import { findInvitation, type OwnInvitation } from "../store/queries/invitations.ts";
import { findUser } from "../store/queries/users.ts";
import { mayGrant } from "./grant.ts";
import { managesOrganization } from "./scopes.ts";

/** Whether the inviter may still invite: an invitation is worth no more than the person who made it. */
export const isGood = ({ inviterRole, role }: OwnInvitation): boolean =>
  inviterRole !== null && managesOrganization(inviterRole) && mayGrant(inviterRole, role);

/**
 * An invitation to the caller; what happens from now on is recorded in its organization's audit log. Throws 404 for
 * any other, and for one that is no longer valid.
 */
export async function ownInvitation(
  ctx: CallerContext,
  db: Db,
  key: { id: number } | { uuid: string },
): Promise<OwnInvitation> {
  const user = await findUser(db, ctx.caller.userId);
  if (!user) throw unauthenticated();
  const invitation = await findInvitation(db, { email: user.email }, key, ctx.clock.now());
  if (!invitation || !isGood(invitation)) throw notFound();
  if (ctx.caller.trail) ctx.caller.trail.organizationId = invitation.organizationId;
  return invitation;
}
