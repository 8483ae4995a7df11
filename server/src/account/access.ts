import { PublicError } from "../errors.ts";
import { fact } from "../texts/fact.ts";
import type { Caller, Needs } from "./caller.ts";
import { assertFeature, hasFeature } from "./plans.ts";
import { isAtLeast, roleAllows, scopesAllow } from "./scopes.ts";

/** Throws 403 when the plan, then the key's scopes, then the person's role lack what is needed. */
export function assertAccess(caller: Caller, needs: Needs): void {
  for (const feature of needs.features) assertFeature(caller, feature);
  if (needs.resource === null) return;
  if (!scopesAllow(caller.scopes, needs.action, needs.resource)) {
    throw new PublicError("scope_required", fact("access.scope", { scope: scopeOf(needs) }));
  }
  assertRole(caller.role, needs);
}

/** Whether `assertAccess` would let the caller pass. */
export const isPermitted = (
  caller: Caller,
  { action, resource, features, role = "viewer" }: Omit<Needs, "by">,
): boolean =>
  features.every((feature) => hasFeature(caller, feature)) &&
  (resource === null ||
    (scopesAllow(caller.scopes, action, resource) &&
      roleAllows(caller.role, action, resource) &&
      isAtLeast(caller.role, role)));

/** Throws 403 naming the role that is not enough. */
function assertRole(role: Caller["role"], needs: Needs): void {
  if (needs.resource === null) return;
  if (!roleAllows(role, needs.action, needs.resource)) {
    throw new PublicError("forbidden", fact("access.role", { role, scope: scopeOf(needs) }));
  }
  if (!isAtLeast(role, needs.role ?? "viewer")) {
    throw new PublicError("forbidden", fact("access.low_role", { role }));
  }
}

const scopeOf = ({ action, resource }: Needs): string => `${action}:${resource}`;
