import type { CallerContext } from "../context.ts";
import { notFound } from "../errors.ts";
import { deleteKey } from "../store/queries/api-keys.ts";
import { getKey } from "./get-key.ts";

/** Ends a key at once. Throws 404 for one that the caller cannot see (getKey). */
export async function revokeKey(
  ctx: CallerContext,
  input: { key: { id: number } | { uuid: string }; organization?: string },
): Promise<number> {
  const key = await getKey(ctx, input);
  if (!(await deleteKey(ctx.store.db, key.id))) throw notFound();
  return key.id;
}
