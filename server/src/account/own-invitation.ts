import { notFound, unauthenticated } from "../errors.ts";
import { findInvitation, type OwnInvitation } from "../store/queries/invitations.ts";
import { findUser } from "../store/queries/users.ts";
import type { Running } from "../verb/verb.ts";
import { parseId } from "../wire/id.ts";
import { mayGrant } from "./grant.ts";
import { managesOrganization } from "./scopes.ts";

/** Whether the inviter may still invite: an invitation is worth no more than the person who made it. */
export const isGood = ({ inviterRole, role }: OwnInvitation): boolean =>
  inviterRole !== null && managesOrganization(inviterRole) && mayGrant(inviterRole, role);

/** An invitation to the caller. Throws 404 for any other, and for one that is no longer valid. */
export async function ownInvitation({ db, caller, clock }: Running, id: string): Promise<OwnInvitation> {
  const user = await findUser(db, caller.userId);
  if (!user) throw unauthenticated();
  const invitation = await findInvitation(db, { email: user.email }, parseId(id), clock.now());
  if (!invitation || !isGood(invitation)) throw notFound();
  return invitation;
}
