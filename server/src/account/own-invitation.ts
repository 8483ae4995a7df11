import type { CallerContext } from "../context.ts";
import { notFound, unauthenticated } from "../errors.ts";
import type { Db } from "../store/db.ts";
import { findInvitation, type OwnInvitation } from "../store/queries/invitations.ts";
import { findUser } from "../store/queries/users.ts";
import { mayGrant } from "./grant.ts";
import { managesOrganization } from "./scopes.ts";

/** Whether who invited may still do so: an invitation is worth no more than the one who made it. */
export const isGood = ({ inviterRole, role }: OwnInvitation): boolean =>
  inviterRole !== null && managesOrganization(inviterRole) && mayGrant(inviterRole, role);

/**
 * An invitation of the caller's; what is recorded from now on is recorded with its organization. Throws 404
 * for any other, and for one that holds no longer.
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
