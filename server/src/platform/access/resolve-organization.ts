import type { CallerContext } from "../context.ts";
import type { Db } from "../database/db.ts";
import { invalidInput, notFound } from "../errors.ts";
import { msg } from "../i18n/message.ts";
import { readId } from "../operations/field.ts";
import { assertAccess, isPermitted } from "./access.ts";
import type { Caller, Needs } from "./caller.ts";
import {
  findOrganizationOf,
  listOrganizationsOf,
  type OrganizationKey,
  type OwnOrganization,
} from "./queries/organizations.ts";

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
