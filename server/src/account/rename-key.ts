import type { CallerContext } from "../context.ts";
import { type ApiKey, updateKeyName } from "../store/queries/api-keys.ts";
import { getKey } from "./get-key.ts";
import { checkName } from "./name.ts";

/** Renames a key; what it permits never changes. Throws 404 for one that the caller cannot see, 422 for a bad name. */
export async function renameKey(
  ctx: CallerContext,
  input: { key: { id: number } | { uuid: string }; name: string },
): Promise<ApiKey> {
  const key = await getKey(ctx, input);
  const name = checkName(input.name);
  await updateKeyName(ctx.store.db, key.id, name);
  return { ...key, name };
}
