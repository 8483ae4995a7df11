import { notFound, PublicError } from "../errors.ts";
import { msg } from "../i18n/message.ts";
import type { MonitorKind } from "../monitor-defaults.ts";
import type { Running } from "../operations/operation.ts";
import type { Caller, Needs } from "./caller.ts";
import { MONITOR_KIND_TRAITS } from "./monitor-kinds.ts";
import { assertFeature, hasFeature } from "./plans.ts";
import { findMember } from "./queries/members.ts";
import {
  type Action,
  isAtLeast,
  managesOrganization,
  type Resource,
  type Role,
  roleAllows,
  scopesAllow,
  scopesCover,
  scopesOfRole,
} from "./scopes.ts";

/** Throws 403 when the plan, then the key's scopes, then the person's role lack what is needed. */
export function assertAccess(caller: Caller, needs: Needs): void {
  for (const feature of needs.features) assertFeature(caller, feature);
  if (needs.resource === null) return;
  if (!scopesAllow(caller.scopes, needs.action, needs.resource)) {
    throw new PublicError("scope_required", msg("access.scope", { scope: scopeOf(needs) }));
  }
  assertRole(caller.role, needs);
}

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
    ? msg("access.low_role", { role })
    : msg("access.role", { role, scope: scopeOf(needs) });
  throw new PublicError("forbidden", why);
}

const scopeOf = ({ action, resource }: Needs): string => `${action}:${resource}`;

/** Whether `own` may grant or revoke a role; an owner's only an owner may. */
export const mayGrant = (own: Role, role: Role): boolean => role !== "owner" || own === "owner";

/** Throws 403 unless a signed-in owner changes an owner: a key that could would exceed its scopes. */
export function assertMayChange(caller: Caller, role: Role, own: Role = caller.role): void {
  if (!mayGrant(own, role)) throw new PublicError("forbidden", msg("access.owner"));
  if (role === "owner" && caller.kind !== "session") {
    throw new PublicError("forbidden", msg("access.owner_session"));
  }
}

/** Throws 403: a key grants no role above its own, or the newcomer would give its holder the rest. */
export function assertMayGrant(caller: Caller, role: Role, own: Role = caller.role): void {
  assertMayChange(caller, role, own);
  const beyond = scopesOfRole(role).find((scope) => !scopesCover(caller.scopes, scope));
  if (caller.kind === "session" || beyond === undefined) return;
  throw new PublicError("scope_required", msg("access.grant_role", { role, scope: beyond }));
}

/** The caller's role once the owners are locked, as it may have changed meanwhile. Throws 403. */
export async function ownRole({ db, caller }: Pick<Running, "db" | "caller">): Promise<Role> {
  const { organizationId, userId } = caller;
  const role = (await findMember(db, organizationId, { id: userId }))?.role;
  if (role && managesOrganization(role)) return role;
  throw new PublicError("forbidden", msg("access.low_role", { role: role ?? caller.role }));
}

/** 409: without an owner it could not be managed any more. */
export const lastOwner = () => new PublicError("conflict", msg("account.last_owner"));

/** A key for services alone must not learn of domains by naming them. */
export const mayRead =
  ({ caller }: Pick<Running, "caller">) =>
  ({ kind }: { kind: MonitorKind }): boolean => {
    const { resource, feature } = MONITOR_KIND_TRAITS[kind];
    return isPermitted(caller, { action: "read", resource, features: [feature], role: undefined });
  };

/** Throws 409 for an organization that waits for its deletion: nothing is watched there; 404 for one that is gone. */
export function assertStays(organization: { deletesAt: number | null } | undefined): void {
  if (!organization) throw notFound();
  const { deletesAt } = organization;
  if (deletesAt === null) return;
  throw new PublicError("conflict", msg("organization.ending", { at: new Date(deletesAt).toISOString() }));
}
