import { notFound } from "../errors.ts";
import { deleteKey } from "../store/queries/api-keys.ts";
import { verb } from "../verb/verb.ts";
import { Deleted, IdParams } from "../wire/field.ts";
import { endAccess } from "./ended-access.ts";
import { findKeyMeant } from "./keys.ts";

/** Ends a key at once. Throws 404 for one that the caller cannot see. */
export const revokeKey = verb({
  resource: "api-keys",
  feature: "team",
  action: "write",
  audit: "delete api-keys",
  input: IdParams,
  output: Deleted,
  find: findKeyMeant,
  async run(ctx, _, { id, name }) {
    if (!(await deleteKey(ctx.db, id))) throw notFound();
    endAccess(ctx, { of: "key", apiKeyId: id });
    ctx.record({ id, name });
    return { id };
  },
});
