import { invalidInput } from "../errors.ts";
import { findMember, lockOwners, updateMemberRole } from "../store/queries/members.ts";
import { fact } from "../texts/fact.ts";
import { verb } from "../verb/verb.ts";
import { OrganizationTransfer } from "../wire/credentials.ts";
import { readId } from "../wire/field.ts";
import { OrganizationMember, projectMember } from "../wire/organizations.ts";
import { confirmPassword } from "./confirm-password.ts";
import { endAccess } from "./ended-access.ts";
import { assertMayChange, ownRole } from "./grant.ts";
import { findOrganizationNamed } from "./resolve-organization.ts";

/**
 * Makes another member an owner in the caller's place, who becomes an admin. Throws 422 for a wrong password, and for
 * somebody who is no member or an owner already.
 */
export const transferOrganization = verb({
  resource: "organization",
  by: "session",
  action: "write",
  role: "owner",
  audit: "transfer organization",
  input: OrganizationTransfer,
  output: OrganizationMember,
  find: findOrganizationNamed,
  prepare: confirmPassword,
  async run(ctx, input) {
    const { db } = ctx;
    const { organizationId, userId } = ctx.caller;
    await lockOwners(db, organizationId);
    assertMayChange(ctx.caller, "owner", await ownRole(ctx));
    const ref = readId(String(input.member));
    const successor = ref && (await findMember(db, organizationId, ref));
    if (!successor) throw invalidInput({ member: [fact("account.no_member")] });
    if (successor.role === "owner") throw invalidInput({ member: [fact("account.owner_already")] });
    for (const [id, role] of [
      [successor.id, "owner"],
      [userId, "admin"],
    ] as const) {
      await updateMemberRole(db, organizationId, id, role);
      endAccess(ctx, { of: "member", userId: id, organizationId });
    }
    ctx.record({ id: successor.id, name: successor.name, before: successor.role, after: "owner" });
    return projectMember({ ...successor, role: "owner" });
  },
});
