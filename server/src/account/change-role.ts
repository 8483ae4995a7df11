import type { CallerContext } from "../context.ts";
import { notFound } from "../errors.ts";
import { findMember, lockOwners, type Member, updateMemberRole } from "../store/queries/members.ts";
import { recordEndedAccess } from "./ended-access.ts";
import { assertMayGrant, lastOwner } from "./grant.ts";
import { callerIn } from "./resolve-organization.ts";
import type { Role } from "./scopes.ts";

/** Gives a member another role. Throws 404, 403 when only an owner may, 409 for the last owner. */
export async function changeRole(
  ctx: CallerContext,
  input: { organization: string; member: { id: number } | { uuid: string }; role: Role },
): Promise<Member> {
  const { organizationId, role: own } = await callerIn(ctx, input.organization);
  const changed = await ctx.store.transaction(async (trx) => {
    const owners = await lockOwners(trx, organizationId);
    const member = await findMember(trx, organizationId, input.member);
    if (!member) throw notFound();
    assertMayGrant(own, input.role);
    assertMayGrant(own, member.role);
    if (member.role === "owner" && input.role !== "owner" && owners.length === 1) throw lastOwner();
    await updateMemberRole(trx, organizationId, member.id, input.role);
    recordEndedAccess(trx, { of: "member", userId: member.id, organizationId }, ctx.clock.now());
    return { ...member, role: input.role };
  });
  ctx.live.wake();
  return changed;
}
