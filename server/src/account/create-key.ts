import { Type } from "typebox";
import { verb } from "../verb/verb.ts";
import { CreatedApiKey, projectCreatedApiKey } from "../wire/api-keys.ts";
import { issueKey } from "./issue-key.ts";

/** Makes an API key for any person, in their oldest organization. Throws 404 for an unknown person, 422 for bad input. */
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
