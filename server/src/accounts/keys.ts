import { Type } from "typebox";
import { findAnywhere } from "../platform/access/check-access.ts";
import { endAccess } from "../platform/access/ended-access.ts";
import {
  deleteKey,
  findKey,
  listKeys as queryKeys,
  updateKeyName,
} from "../platform/access/queries/api-keys.ts";
import { isScope, managesOrganization, scopesCover } from "../platform/access/roles-and-scopes.ts";
import { findOwner } from "../platform/database/sql.ts";
import { notFound, PublicError } from "../platform/errors.ts";
import { checkName } from "../platform/formats/name.ts";
import { msg } from "../platform/i18n/message.ts";
import { Deleted, IdParams, IdText, Name, parseId } from "../platform/operations/field.ts";
import { type Before, verb } from "../platform/operations/operation.ts";
import { NewestFirstQuery, pageOf } from "../platform/operations/paging.ts";
import { issueKey } from "./issue-key.ts";
import { ApiKey, CreatedApiKey, NewApiKey, projectApiKey, projectCreatedApiKey } from "./schemas/api-keys.ts";

/** All of the organization's for owners and admins, otherwise the caller's own; newest first. */
export const listKeys = verb({
  resource: "api-keys",
  feature: "team",
  action: "read",
  input: Type.Object(NewestFirstQuery),
  output: Type.Array(ApiKey),
  paged: true,
  async run({ db, caller }, input) {
    const everyones = managesOrganization(caller.role);
    const keys = await queryKeys(db, caller.organizationId, everyones ? null : caller.userId);
    return pageOf(keys.map(projectApiKey), input);
  },
});

export const getKey = verb({
  resource: "api-keys",
  feature: "team",
  action: "read",
  input: IdParams,
  output: ApiKey,
  find: findKeyMeant,
  run: async (_, __, key) => projectApiKey(key),
});

/** For a verb's `find`. Throws 404 for an unknown key, and for another person's unless the caller is owner or admin. */
async function findKeyMeant(ctx: Before, { id }: { id: string }) {
  const { db } = ctx.store;
  const ref = parseId(id);
  const find = (organizationId: number) => findKey(db, organizationId, ref);
  const { found, caller } = await findAnywhere(ctx, find, () => findOwner(db, "api_keys", ref));
  if (found.userId !== caller.userId && !managesOrganization(caller.role)) throw notFound();
  return { found, caller };
}

/**
 * Throws 403 for a scope that the caller lacks, or for all organizations with a key for one; 422 for bad
 * input, such as an expiry after that of the key it is made with.
 */
export const mintKey = verb({
  resource: "api-keys",
  feature: "team",
  action: "write",
  audit: "create api-keys",
  input: NewApiKey,
  output: CreatedApiKey,
  async run(ctx, { expiresAt, ...wanted }) {
    const { caller } = ctx;
    const beyond = wanted.scopes.find((scope) => isScope(scope) && !scopesCover(caller.scopes, scope));
    if (beyond !== undefined) {
      throw new PublicError("scope_required", msg("access.grant_scope", { scope: beyond }));
    }
    if (wanted.allOrganizations && !caller.allOrganizations) {
      throw new PublicError("forbidden", msg("access.grant_everywhere"));
    }
    const { userId, organizationId, keyExpiresAt: endsBy } = caller;
    const ends = { expiresAt: expiresAt ? Date.parse(expiresAt) : null, endsBy };
    return projectCreatedApiKey(await issueKey(ctx, { ...wanted, ...ends, userId, organizationId }));
  },
});

/** Scopes never change. Throws 404 for one that the caller cannot see, 422 for a bad name. */
export const renameKey = verb({
  resource: "api-keys",
  feature: "team",
  action: "write",
  audit: "update api-keys",
  input: Type.Object({ id: IdText, name: Name }),
  output: ApiKey,
  find: findKeyMeant,
  async run({ db }, input, key) {
    const name = checkName(input.name);
    await updateKeyName(db, key.id, name);
    return projectApiKey({ ...key, name });
  },
});

/** Throws 404 for one that the caller cannot see. */
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

/** For any person, in their oldest organization. Throws 404 for an unknown person, 422 for bad input. */
export const createKey = verb({
  by: "operator",
  resource: null,
  action: "write",
  audit: null,
  input: Type.Object({
    email: Type.String(),
    name: Type.String(),
    scopes: Type.Array(Type.String()),
    allOrganizations: Type.Optional(Type.Boolean()),
  }),
  output: CreatedApiKey,
  run: async (ctx, input) => projectCreatedApiKey(await issueKey(ctx, input)),
});
