import { PublicError } from "../errors.ts";
import { fact } from "../texts/fact.ts";
import type { Caller, Needs } from "./caller.ts";
import { assertFeature, hasFeature } from "./plans.ts";
import { type Action, isAtLeast, type Resource, type Role, roleAllows, scopesAllow } from "./scopes.ts";

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
  { action, resource, features, role }: Omit<Needs, "by">,
): boolean =>
  features.every((feature) => hasFeature(caller, feature)) &&
  (resource === null ||
    (scopesAllow(caller.scopes, action, resource) && isEnough(caller.role, { action, resource, role })));

/** Where a least role is named, it alone decides. */
const isEnough = (
  own: Role,
  { action, resource, role: least }: { action: Action; resource: Resource; role: Role | undefined },
): boolean => (least === undefined ? roleAllows(own, action, resource) : isAtLeast(own, least));

/** Throws 403 naming the role that is not enough. */
function assertRole(role: Role, needs: Needs): void {
  const { action, resource } = needs;
  if (resource === null || isEnough(role, { action, resource, role: needs.role })) return;
  const why = roleAllows(role, action, resource)
    ? fact("access.low_role", { role })
    : fact("access.role", { role, scope: scopeOf(needs) });
  throw new PublicError("forbidden", why);
}

const scopeOf = ({ action, resource }: Needs): string => `${action}:${resource}`;
