import type { CallerContext } from "../context.ts";
import { type ApiKey, listKeys as queryKeys } from "../store/queries/api-keys.ts";
import { managesOrganization } from "./scopes.ts";

/** The organization's keys for its owners and admins, one's own for everybody else; newest first. */
export async function listKeys(ctx: CallerContext): Promise<ApiKey[]> {
  const { caller } = ctx;
  const everyones = managesOrganization(caller.role);
  return queryKeys(ctx.store.db, caller.organizationId, everyones ? null : caller.userId);
}
