import { Type } from "typebox";
import { getKey } from "../../account/get-key.ts";
import { listKeys } from "../../account/list-keys.ts";
import { mintKey } from "../../account/mint-key.ts";
import { renameKey } from "../../account/rename-key.ts";
import { revokeKey } from "../../account/revoke-key.ts";
import { Name } from "../../wire/field.ts";
import { Deleted, IdParams, parseId, UuidParams } from "../../wire/id.ts";
import {
  LegacyApiKey,
  LegacyApiKeyBody,
  LegacyCreatedApiKey,
  projectApiKey,
  projectCreatedApiKey,
} from "../../wire/legacy/api-keys.ts";
import { LegacyPageQuery, pageOf, V2PageQuery } from "../../wire/page.ts";
import { V2ApiKey, V2ApiKeyBody, V2CreatedApiKey } from "../../wire/v2/api-keys.ts";
import { toSnake } from "../../wire/v2/snake-case.ts";
import type { DefineBoth, DefineV2 } from "../both-families.ts";

const facts = { resource: "api-keys", feature: "team" } as const;
const v2Item = {
  url: "/v2/api-keys/:uuid",
  params: UuidParams,
};

/** `/api-keys`, also at `/api/api-keys`, and `/v2/api-keys`. */
export function describeApiKeys(define: DefineBoth, defineV2: DefineV2): void {
  const collection = { url: "/api-keys", aliases: ["/api/api-keys"] };
  const item = { url: "/api-keys/:id", aliases: ["/api/api-keys/:id"] };
  define({
    ...{ ...facts, ...collection, method: "GET", paged: true },
    summary: "List API keys",
    description:
      "Owners and admins see the organization's keys, others their own. Tokens are never shown again.",
    querystring: Type.Object(LegacyPageQuery),
    response: Type.Array(LegacyApiKey),
    v2: {
      url: "/v2/api-keys",
      querystring: Type.Object(V2PageQuery),
      response: Type.Array(V2ApiKey),
    },
    async handler(own, { query }) {
      const { items, page } = pageOf(await listKeys(own), query);
      return { data: items.map(projectApiKey), page };
    },
  });
  define({
    ...{ ...facts, ...collection, method: "POST", status: 201 },
    summary: "Create an API key",
    description:
      "The token is in this answer only. A key can grant no more than the scopes it has itself, and makes none that outlives it. It acts in its own organization unless `allOrganizations` says otherwise.",
    body: LegacyApiKeyBody,
    response: LegacyCreatedApiKey,
    v2: { url: "/v2/api-keys", body: V2ApiKeyBody, response: V2CreatedApiKey },
    async handler(own, { body }) {
      const { name, scopes, allOrganizations } = body;
      const expiresAt = body.expiresAt ? Date.parse(body.expiresAt) : null;
      const key = await mintKey(own, { name, scopes, expiresAt, allOrganizations });
      return { data: projectCreatedApiKey(key), message: "API key created. Its token is not shown again." };
    },
  });
  describeV2Key(defineV2);
  define({
    ...{ ...facts, ...item, method: "DELETE" },
    summary: "Delete an API key",
    description: "Programs that use it are refused from then on, and their live streams end.",
    params: IdParams,
    response: Deleted,
    v2: v2Item,
    async handler(own, { params }) {
      const { id, name } = await revokeKey(own, { key: parseId(params.id) });
      return { data: { id }, auditName: name, message: "API key deleted." };
    },
  });
}

/** Legacy neither shows one key nor renames it. */
function describeV2Key(defineV2: DefineV2): void {
  const facts = { ...v2Item, family: "v2", resource: "api-keys" } as const;
  defineV2({
    ...{ ...facts, method: "GET" },
    summary: "Get an API key",
    description: "Everything about it except the token, which nobody can read again.",
    response: V2ApiKey,
    async handler(own, { params }) {
      const key = await getKey(own, { key: parseId(params.uuid) });
      return { data: toSnake(LegacyApiKey, projectApiKey(key)) };
    },
  });
  defineV2({
    ...{ ...facts, method: "PUT" },
    summary: "Rename an API key",
    description: "Scopes and expiry never change: make a new key for those.",
    body: Type.Object({ name: Name }),
    response: V2ApiKey,
    async handler(own, { params, body }) {
      const renamed = await renameKey(own, { key: parseId(params.uuid), name: body.name });
      return { data: toSnake(LegacyApiKey, projectApiKey(renamed)) };
    },
  });
}
