import type { FastifyInstance } from "fastify";
import { Type } from "typebox";
import { getKey } from "../../account/get-key.ts";
import { listKeys } from "../../account/list-keys.ts";
import { mintKey } from "../../account/mint-key.ts";
import { renameKey } from "../../account/rename-key.ts";
import { revokeKey } from "../../account/revoke-key.ts";
import type { Context } from "../../context.ts";
import { Name, OrganizationFilter } from "../../wire/field.ts";
import { Deleted, parseId, UuidParams } from "../../wire/id.ts";
import { V2PageQuery, v2PageOf } from "../../wire/page.ts";
import {
  projectV2ApiKey,
  projectV2CreatedApiKey,
  V2ApiKey,
  V2ApiKeyBody,
  V2CreatedApiKey,
} from "../../wire/v2/api-keys.ts";
import { withSnakeFields } from "../../wire/v2/snake-case.ts";
import { defineRoute } from "../route.ts";

const facts = { family: "v2", resource: "api-keys" } as const;
const Query = Type.Object({ organization: OrganizationFilter });

/** `/v2/api-keys`. */
export function registerV2ApiKeys(app: FastifyInstance, ctx: Context): void {
  defineRoute(app, ctx, {
    ...{ ...facts, method: "GET", url: "/v2/api-keys", paged: true },
    summary: "List API keys",
    description:
      "Owners and admins see the organization's keys, others their own. Tokens are never shown again.",
    querystring: Type.Object({ ...V2PageQuery, organization: OrganizationFilter }),
    response: Type.Array(V2ApiKey),
    async handler(own, { query }) {
      const { items, page } = v2PageOf(await listKeys(own, query), query);
      return { data: items.map(projectV2ApiKey), page };
    },
  });
  defineRoute(app, ctx, {
    ...{ ...facts, method: "POST", url: "/v2/api-keys", status: 201 },
    summary: "Create an API key",
    description: "The token is in this answer only. A key can grant no more than the scopes it has itself.",
    body: V2ApiKeyBody,
    response: V2CreatedApiKey,
    async handler(own, { body }) {
      const { name, scopes, organization } = body;
      const expiresAt = body.expires_at ? Date.parse(body.expires_at) : null;
      const key = await withSnakeFields(mintKey(own, { name, scopes, expiresAt, organization }));
      return { data: projectV2CreatedApiKey(key), message: "API key created. Its token is not shown again." };
    },
  });
  defineRoute(app, ctx, {
    ...{ ...facts, method: "GET", url: "/v2/api-keys/:uuid" },
    summary: "Get an API key",
    params: UuidParams,
    querystring: Query,
    response: V2ApiKey,
    async handler(own, { params, query }) {
      const key = await getKey(own, { key: parseId(params.uuid), organization: query.organization });
      return { data: projectV2ApiKey(key) };
    },
  });
  defineRoute(app, ctx, {
    ...{ ...facts, method: "PUT", url: "/v2/api-keys/:uuid" },
    summary: "Rename an API key",
    description: "Scopes and expiry never change: make a new key for those.",
    params: UuidParams,
    querystring: Query,
    body: Type.Object({ name: Name }),
    response: V2ApiKey,
    async handler(own, { params, query, body }) {
      const key = { key: parseId(params.uuid), organization: query.organization };
      return { data: projectV2ApiKey(await renameKey(own, { ...key, name: body.name })) };
    },
  });
  defineRoute(app, ctx, {
    ...{ ...facts, method: "DELETE", url: "/v2/api-keys/:uuid" },
    summary: "Delete an API key",
    params: UuidParams,
    querystring: Query,
    response: Deleted,
    async handler(own, { params, query }) {
      const id = await revokeKey(own, { key: parseId(params.uuid), organization: query.organization });
      return { data: { id }, message: "API key deleted." };
    },
  });
}
