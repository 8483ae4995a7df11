import { notFound } from "../errors.ts";
import { findMember, lockOwners, updateMemberRole } from "../store/queries/members.ts";
import { verb } from "../verb/verb.ts";
import { MemberRole } from "../wire/credentials.ts";
import { parseId } from "../wire/field.ts";
import { OrganizationMember, projectMember } from "../wire/organizations.ts";
import { endAccess } from "./ended-access.ts";
import { assertMayChange, assertMayGrant, lastOwner, ownRole } from "./grant.ts";
import { findOrganizationNamed } from "./resolve-organization.ts";

/** Gives a member another role. Throws 404, 403 when only an owner may, 409 for the last owner. */
export const changeRole = verb({
  resource: "organization",
  action: "write",
  audit: "change role",
  input: MemberRole,
  output: OrganizationMember,
  find: findOrganizationNamed,
  async run(ctx, { member: id, role }) {
    const { db } = ctx;
    const { organizationId } = ctx.caller;
    const key = parseId(id);
    const owners = await lockOwners(db, organizationId);
    const own = await ownRole(ctx);
    const member = await findMember(db, organizationId, key);
    if (!member) throw notFound();
    assertMayGrant(ctx.caller, role, own);
    assertMayChange(ctx.caller, member.role, own);
    if (member.role === "owner" && role !== "owner" && owners.length === 1) throw lastOwner();
    await updateMemberRole(db, organizationId, member.id, role);
    endAccess(ctx, { of: "member", userId: member.id, organizationId });
    ctx.record({ id: member.id, name: member.name, before: member.role, after: role });
    return projectMember({ ...member, role });
  },
});
