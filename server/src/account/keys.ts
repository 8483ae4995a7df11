import { Type } from "typebox";
import { notFound } from "../errors.ts";
import { findKey, listKeys as queryKeys } from "../store/queries/api-keys.ts";
import { findOwner } from "../store/queries/ref.ts";
import { type Before, verb } from "../verb/verb.ts";
import { ApiKey, projectApiKey } from "../wire/api-keys.ts";
import { IdParams, parseId } from "../wire/field.ts";
import { NewestFirstQuery, pageOf } from "../wire/page.ts";
import { findAnywhere } from "./resolve-organization.ts";
import { managesOrganization } from "./scopes.ts";

/** The organization's keys for its owners and admins, one's own for everybody else; newest first. */
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

/** One key. */
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
export async function findKeyMeant(ctx: Before, { id }: { id: string }) {
  const { db } = ctx.store;
  const ref = parseId(id);
  const find = (organizationId: number) => findKey(db, organizationId, ref);
  const { found, caller } = await findAnywhere(ctx, find, () => findOwner(db, "api_keys", ref));
  if (found.userId !== caller.userId && !managesOrganization(caller.role)) throw notFound();
  return { found, caller };
}
