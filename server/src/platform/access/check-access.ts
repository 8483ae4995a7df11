import type { CallerContext } from "../context.ts";
import type { Db } from "../database/schema.ts";
import { invalidInput, notFound, PublicError } from "../errors.ts";
import { msg } from "../i18n/message.ts";
import type { MonitorKind } from "../monitor-defaults.ts";
import { MONITOR_KIND_TRAITS } from "../monitor-kinds.ts";
import { readId } from "../operations/field.ts";
import type { Running } from "../operations/operation.ts";
import type { Caller, Needs } from "./caller.ts";
import { assertFeature, hasFeature } from "./plans.ts";
import { findMember } from "./queries/members.ts";
import {
  findOrganizationOf,
  listOrganizationsOf,
  type OrganizationKey,
  type OwnOrganization,
} from "./queries/organizations.ts";
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
} from "./roles-and-scopes.ts";

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

/** Throws 403: a key grants no role above its own, and none that outlasts it: the newcomer would give its holder the rest. */
export function assertMayGrant(caller: Caller, role: Role, own: Role = caller.role): void {
  assertMayChange(caller, role, own);
  if (caller.kind !== "session" && caller.keyExpiresAt !== null)
    throw new PublicError("forbidden", msg("access.grant_lasting"));
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

/**
 * The caller with their role and plan in an organization named by id, uuid or slug, by default their own.
 * Throws 404 where they may not act, 403 where role or plan do not permit the operation.
 */
async function callerIn(ctx: CallerContext, filter?: string): Promise<Caller> {
  if (filter === undefined) return permitted(ctx.caller);
  const key = parseOrganizationKey(filter);
  const organization = await findOrganizationOf(ctx.store.db, ctx.caller.userId, key);
  if (!organization || !mayActIn(ctx.caller, organization.id)) throw notFound();
  if (organization.id === ctx.caller.organizationId) return permitted(ctx.caller);
  return permitted(asIn(ctx.caller, organization));
}

/** By any of its names, by default their own. Throws as `callerIn`, and 422 for several organizations. */
export async function callerWhere(
  ctx: CallerContext,
  [first, ...others]: readonly string[],
): Promise<Caller> {
  const caller = await callerIn(ctx, first);
  for (const other of others) {
    const { organizationId } = await callerIn(ctx, other);
    if (organizationId !== caller.organizationId) {
      throw invalidInput({ organization: [msg("account.organization_twice")] });
    }
  }
  return caller;
}

/** For an operation's `find`. */
export const findOrganizationNamed = async (
  ctx: CallerContext,
  { organization }: { organization: string },
) => ({
  caller: await callerIn(ctx, organization),
  found: undefined,
});

const asIn = (caller: Caller, { id, role, plan, reports }: OwnOrganization): Caller => ({
  ...caller,
  organizationId: id,
  role,
  plan,
  reports,
});

/** Throws 403 unless the caller has what the route requires where they act. */
function permitted(caller: Caller): Caller {
  if (caller.needs) assertAccess(caller, caller.needs);
  return caller;
}

/** Throws 403 if no organization that the request may turn out to mean permits it. Checked again once it is read. */
export async function assertAccessSomewhere(ctx: CallerContext, needs: Needs): Promise<void> {
  const { caller } = ctx;
  if (isPermitted(caller, needs)) return;
  const elsewhere = caller.allOrganizations ? await organizationsOf(ctx, ctx.store.db) : [];
  if (!elsewhere.some((organization) => isPermitted(asIn(caller, organization), needs))) {
    assertAccess(caller, needs);
  }
}

/** Whether needs are met in any organization where the caller may act. */
export async function mayDoSomewhere(ctx: CallerContext): Promise<(needs: Needs) => boolean> {
  const { caller } = ctx;
  const elsewhere = caller.allOrganizations ? await organizationsOf(ctx, ctx.store.db) : [];
  const standings = [caller, ...elsewhere.map((organization) => asIn(caller, organization))];
  return (needs) => standings.some((one) => isPermitted(one, needs));
}

/** Oldest first; of a key only its own, unless it was made for all. */
export async function organizationsOf({ caller }: { caller: Caller }, db: Db): Promise<OwnOrganization[]> {
  return (await listOrganizationsOf(db, caller.userId)).filter(({ id }) => mayActIn(caller, id));
}

/**
 * What an id refers to in any organization where the caller may act (if the request names none), so that
 * whatever a list shows can be read by its id. Throws 404, or 403 as `callerIn` does.
 */
export async function findAnywhere<T>(
  ctx: CallerContext,
  find: (organizationId: number) => Promise<T | null | undefined>,
  locate: () => Promise<number | undefined>,
): Promise<{ found: T; caller: Caller }> {
  const { caller } = ctx;
  const own = await find(caller.organizationId);
  if (own) return { found: own, caller: permitted(caller) };
  const organizationId = caller.organizationChosen || !caller.allOrganizations ? undefined : await locate();
  if (organizationId === undefined) throw notFound();
  const there = await callerIn(ctx, String(organizationId));
  const found = await find(there.organizationId);
  if (!found) throw notFound();
  return { found, caller: there };
}

const mayActIn = (caller: Caller, organizationId: number): boolean =>
  caller.allOrganizations || caller.organizationId === organizationId;

/** Its id, its uuid, or else its slug (which is never only digits). */
export const parseOrganizationKey = (text: string): OrganizationKey => readId(text) ?? { slug: text };
