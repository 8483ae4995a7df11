import type { CallerContext } from "../context.ts";
import { PublicError } from "../errors.ts";
import { type CreatedKey, createKey } from "./create-key.ts";
import { isScope, scopesCover } from "./scopes.ts";

/**
 * Makes a key of the caller's own in their organization. Throws 403 for a scope that the caller lacks, or for a key
 * for all organizations made with a key for one; 422 for bad input, such as a key that would outlive the one it is
 * made with.
 */
export async function mintKey(
  ctx: CallerContext,
  input: {
    name: string;
    scopes: string[];
    expiresAt?: number | null;
    allOrganizations?: boolean;
  },
): Promise<CreatedKey> {
  const { caller } = ctx;
  const beyond = input.scopes.find((scope) => isScope(scope) && !scopesCover(caller.scopes, scope));
  if (beyond !== undefined) {
    throw new PublicError(
      "scope_required",
      `This API key cannot grant the scope ${beyond}: it lacks it itself.`,
    );
  }
  if (input.allOrganizations && !caller.allOrganizations) {
    throw new PublicError(
      "forbidden",
      "This API key cannot make one for all organizations: it acts in its own only.",
    );
  }
  const { userId, organizationId, keyExpiresAt: endsBy } = caller;
  const { name, scopes, expiresAt, allOrganizations } = input;
  return createKey(ctx, { userId, organizationId, name, scopes, expiresAt, endsBy, allOrganizations });
}
