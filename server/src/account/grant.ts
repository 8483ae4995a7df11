import { PublicError } from "../errors.ts";
import { fact } from "../texts/fact.ts";
import type { Role } from "./scopes.ts";

/** Whether somebody who manages an organization may grant or revoke a role there; an owner's only an owner may. */
export const mayGrant = (own: Role, role: Role): boolean => role !== "owner" || own === "owner";

/** Throws 403 when only an owner may grant or revoke the role. */
export function assertMayGrant(own: Role, role: Role): void {
  if (mayGrant(own, role)) return;
  throw new PublicError("forbidden", fact("access.owner"));
}

/** 409: an organization without an owner could not be run by anybody. */
export const lastOwner = () => new PublicError("conflict", fact("account.last_owner"));
