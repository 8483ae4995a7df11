import type { CallerContext } from "../context.ts";
import { notFound } from "../errors.ts";
import { type ApiKey, findKey, findKeyOwner } from "../store/queries/api-keys.ts";
import { findAnywhere } from "./resolve-organization.ts";
import { managesOrganization } from "./scopes.ts";

/** One key. Throws 404 for an unknown one, and for another person's unless the caller is owner or admin. */
export async function getKey(
  ctx: CallerContext,
  input: { key: { id: number } | { uuid: string } },
): Promise<ApiKey> {
  const { db } = ctx.store;
  const find = (organizationId: number) => findKey(db, organizationId, input.key);
  const { found: key, caller } = await findAnywhere(ctx, find, () => findKeyOwner(db, input.key));
  if (!(key.userId === caller.userId || managesOrganization(caller.role))) throw notFound();
  return key;
}
