import type { CallerContext } from "../context.ts";
import { notFound } from "../errors.ts";
import { type ApiKey, deleteKey } from "../store/queries/api-keys.ts";
import { recordEndedAccess } from "./ended-access.ts";
import { getKey } from "./get-key.ts";

/** Ends a key at once. Throws 404 for one that the caller cannot see (getKey). */
export async function revokeKey(
  ctx: CallerContext,
  input: { key: { id: number } | { uuid: string } },
): Promise<ApiKey> {
  const key = await getKey(ctx, input);
  await ctx.store.transaction(async (trx) => {
    if (!(await deleteKey(trx, key.id))) throw notFound();
    recordEndedAccess(trx, { of: "key", apiKeyId: key.id }, ctx.clock.now());
  });
  ctx.live.wake();
  return key;
}
