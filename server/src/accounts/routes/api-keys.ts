import type { DefineBoth } from "../../platform/http/both-families.ts";
import { getKey, listKeys, mintKey, renameKey, revokeKey } from "../keys.ts";

const collection = { url: "/api-keys", aliases: ["/api/api-keys"] };
const item = { url: "/api-keys/:id", aliases: ["/api/api-keys/:id"] };

/** `/api-keys`, also at `/api/api-keys`, and `/v2/api-keys`. Legacy has no route for one key. */
export function describeApiKeys(define: DefineBoth): void {
  define({
    ...collection,
    verb: listKeys,
    method: "GET",
    summary: "List API keys",
    description:
      "Owners and admins see the organization's keys, others their own. Tokens are never shown again.",
  });
  define({
    ...collection,
    verb: mintKey,
    method: "POST",
    status: 201,
    summary: "Create an API key",
    description:
      "The token is in this answer only. A key can grant no more than its own scopes, and cannot make a key that outlives it. It acts in its own organization unless `allOrganizations` says otherwise.",
    message: "API key created. Its token is not shown again.",
  });
  define({
    ...item,
    verb: getKey,
    only: "v2",
    method: "GET",
    summary: "Get an API key",
    description: "Everything about it except the token, which cannot be read again.",
  });
  define({
    ...item,
    verb: renameKey,
    only: "v2",
    method: "PUT",
    summary: "Rename an API key",
    description: "Scopes and expiry never change: make a new key for those.",
  });
  define({
    ...item,
    verb: revokeKey,
    method: "DELETE",
    summary: "Delete an API key",
    description: "Programs that use it are refused from then on, and their live streams end.",
    message: "API key deleted.",
  });
}
