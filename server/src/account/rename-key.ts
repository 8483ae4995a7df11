import { Type } from "typebox";
import { updateKeyName } from "../store/queries/api-keys.ts";
import { verb } from "../verb/verb.ts";
import { ApiKey, projectApiKey } from "../wire/api-keys.ts";
import { IdText, Name } from "../wire/field.ts";
import { findKeyMeant } from "./keys.ts";
import { checkName } from "./name.ts";

/** Renames a key; what it permits never changes. Throws 404 for one that the caller cannot see, 422 for a bad name. */
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
