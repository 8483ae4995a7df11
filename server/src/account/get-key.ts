import type { CallerContext } from "../context.ts";
import { notFound } from "../errors.ts";
import { type ApiKey, findKey } from "../store/queries/api-keys.ts";
import { callerIn } from "./resolve-organization.ts";
import { managesOrganization } from "./scopes.ts";

/** One key. Throws 404 for an unknown one, and for another person's unless the caller is owner or admin. */
export async function getKey(
  ctx: CallerContext,
  input: { key: { id: number } | { uuid: string }; organization?: string },
): Promise<ApiKey> {
  const caller = await callerIn(ctx, input.organization);
  const key = await findKey(ctx.store.db, caller.organizationId, input.key);
  if (!key || !(key.userId === caller.userId || managesOrganization(caller.role))) throw notFound();
  return key;
}
