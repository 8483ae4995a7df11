import type { Member } from "../../api/organization.ts";
import { manages, type Role, roles } from "../../api/roles.ts";

/** The roles that a member may give: only an owner makes an owner. */
export const rolesToGrant = (own: Role): readonly Role[] =>
  roles.filter((role) => role !== "owner" || own === "owner");

/** Whether a member may change another's role, or remove them: never the last owner, and only an owner an owner. */
export function mayChange(own: Role, member: Member, members: readonly Member[]): boolean {
  if (!manages(own)) return false;
  if (member.role !== "owner") return true;
  return own === "owner" && members.filter(({ role }) => role === "owner").length > 1;
}
