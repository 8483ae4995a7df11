import { Type } from "typebox";
import { getKey } from "../../account/get-key.ts";
import { listKeys } from "../../account/list-keys.ts";
import { mintKey } from "../../account/mint-key.ts";
import { renameKey } from "../../account/rename-key.ts";
import { revokeKey } from "../../account/revoke-key.ts";
import {
  ApiKey,
  CreatedApiKey,
  NewApiKey,
  projectApiKey,
  projectCreatedApiKey,
} from "../../wire/api-keys.ts";
import { Name } from "../../wire/field.ts";
import { Deleted, IdParams, parseId } from "../../wire/id.ts";
import { PageQuery, pageOf } from "../../wire/page.ts";
import type { DefineBoth } from "../both-families.ts";

const facts = { resource: "api-keys", feature: "team" } as const;

/** `/api-keys`, also at `/api/api-keys`, and `/v2/api-keys`. */
export function describeApiKeys(define: DefineBoth): void {
  const collection = { url: "/api-keys", aliases: ["/api/api-keys"] };
  const item = { url: "/api-keys/:id", aliases: ["/api/api-keys/:id"] };
  define({
    ...facts,
    ...collection,
    method: "GET",
    paged: true,
    summary: "List API keys",
    description:
      "Owners and admins see the organization's keys, others their own. Tokens are never shown again.",
    querystring: Type.Object(PageQuery),
    response: Type.Array(ApiKey),
    async handler(own, { query }) {
      const { items, page } = pageOf(await listKeys(own), query);
      return { data: items.map(projectApiKey), page };
    },
  });
  define({
    ...facts,
    ...collection,
    method: "POST",
    status: 201,
    summary: "Create an API key",
    description:
      "The token is in this answer only. A key can grant no more than its own scopes, and cannot make a key that outlives it. It acts in its own organization unless `allOrganizations` says otherwise.",
    body: NewApiKey,
    response: CreatedApiKey,
    async handler(own, { body }) {
      const { name, scopes, allOrganizations } = body;
      const expiresAt = body.expiresAt ? Date.parse(body.expiresAt) : null;
      const key = await mintKey(own, { name, scopes, expiresAt, allOrganizations });
      return { data: projectCreatedApiKey(key), message: "API key created. Its token is not shown again." };
    },
  });
  describeKey(define);
  define({
    ...facts,
    ...item,
    method: "DELETE",
    summary: "Delete an API key",
    description: "Programs that use it are refused from then on, and their live streams end.",
    params: IdParams,
    response: Deleted,
    async handler(own, { params }) {
      const { id, name } = await revokeKey(own, { key: parseId(params.id) });
      return { data: { id }, auditName: name, message: "API key deleted." };
    },
  });
}

/** Legacy neither shows one key nor renames it. */
function describeKey(define: DefineBoth): void {
  const item = { only: "v2", resource: "api-keys", url: "/api-keys/:id" } as const;
  define({
    ...item,
    method: "GET",
    summary: "Get an API key",
    description: "Everything about it except the token, which nobody can read again.",
    params: IdParams,
    response: ApiKey,
    async handler(own, { params }) {
      return { data: projectApiKey(await getKey(own, { key: parseId(params.id) })) };
    },
  });
  define({
    ...item,
    method: "PUT",
    summary: "Rename an API key",
    description: "Scopes and expiry never change: make a new key for those.",
    params: IdParams,
    body: Type.Object({ name: Name }),
    response: ApiKey,
    async handler(own, { params, body }) {
      return { data: projectApiKey(await renameKey(own, { key: parseId(params.id), name: body.name })) };
    },
  });
}
