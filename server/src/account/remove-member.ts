import { notFound } from "../errors.ts";
import { askFormerMember } from "../notification/channel/ask-address.ts";
import { deleteMember, findMember, lockOwners } from "../store/queries/members.ts";
import { verb } from "../verb/verb.ts";
import { MemberKey } from "../wire/credentials.ts";
import { Deleted, parseId } from "../wire/field.ts";
import { endAccess } from "./ended-access.ts";
import { assertMayChange, lastOwner, ownRole } from "./grant.ts";
import { findOrganizationNamed } from "./resolve-organization.ts";

/** Ends a membership with its keys and sessions. Throws 404, 403 when only an owner may, 409 for the last owner. */
export const removeMember = verb({
  resource: "organization",
  action: "write",
  audit: "remove member",
  input: MemberKey,
  output: Deleted,
  find: findOrganizationNamed,
  async run(ctx, input) {
    const { db } = ctx;
    const { organizationId } = ctx.caller;
    const key = parseId(input.member);
    const owners = await lockOwners(db, organizationId);
    const own = await ownRole(ctx);
    const member = await findMember(db, organizationId, key);
    if (!member) throw notFound();
    assertMayChange(ctx.caller, member.role, own);
    if (member.role === "owner" && owners.length === 1) throw lastOwner();
    await deleteMember(db, organizationId, member.id);
    await askFormerMember(ctx, db, { organizationId, email: member.email });
    endAccess(ctx, { of: "member", userId: member.id, organizationId });
    ctx.record({ id: member.id, name: member.name, before: member.role });
    return { id: member.id };
  },
});
