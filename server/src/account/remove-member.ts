import type { CallerContext } from "../context.ts";
import { notFound } from "../errors.ts";
import { deleteMember, findMember, lockOwners, type Member } from "../store/queries/members.ts";
import { recordEndedAccess } from "./ended-access.ts";
import { assertMayGrant, lastOwner } from "./grant.ts";
import { callerIn } from "./resolve-organization.ts";

/** Ends a membership with its keys and sessions. Throws 404, 403 when only an owner may, 409 for the last owner. */
export async function removeMember(
  ctx: CallerContext,
  input: { organization: string; member: { id: number } | { uuid: string } },
): Promise<Member> {
  const { organizationId, role } = await callerIn(ctx, input.organization);
  const removed = await ctx.store.transaction(async (trx) => {
    const owners = await lockOwners(trx, organizationId);
    const member = await findMember(trx, organizationId, input.member);
    if (!member) throw notFound();
    assertMayGrant(role, member.role);
    if (member.role === "owner" && owners.length === 1) throw lastOwner();
    await deleteMember(trx, organizationId, member.id);
    recordEndedAccess(trx, { of: "member", userId: member.id, organizationId }, ctx.clock.now());
    return member;
  });
  ctx.live.wake();
  return removed;
}
