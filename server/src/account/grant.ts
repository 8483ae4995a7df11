import { PublicError } from "../errors.ts";
import { findMember } from "../store/queries/members.ts";
import { fact } from "../texts/fact.ts";
import type { Running } from "../verb/verb.ts";
import { managesOrganization, type Role } from "./scopes.ts";

/** Whether somebody who manages an organization may grant or revoke a role there; an owner's only an owner may. */
export const mayGrant = (own: Role, role: Role): boolean => role !== "owner" || own === "owner";

/** Throws 403 when only an owner may grant or revoke the role. */
export function assertMayGrant(own: Role, role: Role): void {
  if (mayGrant(own, role)) return;
  throw new PublicError("forbidden", fact("access.owner"));
}

/**
 * The role that the caller has once the owners are locked: somebody may have taken it from them while they waited. Throws 403
 * when it no longer runs the organization.
 */
export async function ownRole({ db, caller }: Pick<Running, "db" | "caller">): Promise<Role> {
  const { organizationId, userId } = caller;
  const role = (await findMember(db, organizationId, { id: userId }))?.role;
  if (role && managesOrganization(role)) return role;
  throw new PublicError("forbidden", fact("access.low_role", { role: role ?? caller.role }));
}

/** 409: an organization without an owner could not be run by anybody. */
export const lastOwner = () => new PublicError("conflict", fact("account.last_owner"));
