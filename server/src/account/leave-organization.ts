import type { CallerContext } from "../context.ts";
import { notFound, PublicError } from "../errors.ts";
import { deleteMember, lockOwners } from "../store/queries/members.ts";
import { findOrganizationOf, listOrganizationsOf } from "../store/queries/organizations.ts";
import { moveSessions } from "../store/queries/sessions.ts";
import { recordEndedAccess } from "./ended-access.ts";
import { lastOwner } from "./grant.ts";
import { parseOrganizationKey } from "./organization-key.ts";

/**
 * Ends the caller's own membership and their keys there; their sessions there move to another of their organizations.
 * Throws 404 if they do not belong to it, 409 for the last owner and for their only organization: without one nobody
 * can sign in.
 */
export async function leaveOrganization(
  ctx: CallerContext,
  input: { organization: string },
): Promise<number> {
  const { userId } = ctx.caller;
  const left = await ctx.store.transaction(async (trx) => {
    const organization = await findOrganizationOf(trx, userId, parseOrganizationKey(input.organization));
    if (!organization) throw notFound();
    const { id } = organization;
    const owners = await lockOwners(trx, id);
    if (owners.length === 1 && owners[0] === userId) throw lastOwner();
    const other = (await listOrganizationsOf(trx, userId)).find((one) => one.id !== id);
    if (!other) throw onlyOne();
    if (ctx.caller.trail) ctx.caller.trail.organizationId = id;
    await moveSessions(trx, userId, { from: id, to: other.id });
    await deleteMember(trx, id, userId);
    recordEndedAccess(trx, { of: "member", userId, organizationId: id }, ctx.clock.now());
    return id;
  });
  ctx.live.wake();
  return left;
}

const onlyOne = () =>
  new PublicError("conflict", "This is your only organization. Found or join another one first.");
