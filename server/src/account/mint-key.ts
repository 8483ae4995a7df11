import { PublicError } from "../errors.ts";
import { fact } from "../texts/fact.ts";
import { verb } from "../verb/verb.ts";
import { CreatedApiKey, NewApiKey, projectCreatedApiKey } from "../wire/api-keys.ts";
import { issueKey } from "./issue-key.ts";
import { isScope, scopesCover } from "./scopes.ts";

/**
 * Makes a key of the caller's own in their organization. Throws 403 for a scope that the caller lacks, or for a key
 * for all organizations made with a key for one; 422 for bad input, such as a key that would outlive the one it is
 * made with.
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
      throw new PublicError("scope_required", fact("access.grant_scope", { scope: beyond }));
    }
    if (wanted.allOrganizations && !caller.allOrganizations) {
      throw new PublicError("forbidden", fact("access.grant_everywhere"));
    }
    const { userId, organizationId, keyExpiresAt: endsBy } = caller;
    const ends = { expiresAt: expiresAt ? Date.parse(expiresAt) : null, endsBy };
    return projectCreatedApiKey(await issueKey(ctx, { ...wanted, ...ends, userId, organizationId }));
  },
});
