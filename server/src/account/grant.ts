import { PublicError } from "../errors.ts";
import { findMember } from "../store/queries/members.ts";
import { fact } from "../texts/fact.ts";
import type { Running } from "../verb/verb.ts";
import type { Caller } from "./caller.ts";
import { managesOrganization, type Role, scopesCover, scopesOfRole } from "./scopes.ts";

/** Whether somebody who manages an organization may grant or revoke a role there; an owner's only an owner may. */
export const mayGrant = (own: Role, role: Role): boolean => role !== "owner" || own === "owner";

/**
 * Throws 403 when somebody with that role may be changed by an owner only: by one who has signed in, since a key that could
 * replace the owners would be worth more than its scopes say. `own`: the caller's role, where it may have changed.
 */
export function assertMayChange(caller: Caller, role: Role, own: Role = caller.role): void {
  if (!mayGrant(own, role)) throw new PublicError("forbidden", fact("access.owner"));
  if (role === "owner" && caller.kind !== "session") {
    throw new PublicError("forbidden", fact("access.owner_session"));
  }
}

/**
 * Throws 403 when the caller may not make somebody of that role: whom a key makes could do no more than itself, or the
 * newcomer would give the key's holder the rest.
 */
export function assertMayGrant(caller: Caller, role: Role, own: Role = caller.role): void {
  assertMayChange(caller, role, own);
  const beyond = scopesOfRole(role).find((scope) => !scopesCover(caller.scopes, scope));
  if (caller.kind === "session" || beyond === undefined) return;
  throw new PublicError("scope_required", fact("access.grant_role", { role, scope: beyond }));
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
