import type { FastifyInstance } from "fastify";
import { Type } from "typebox";
import { listKeys } from "../../account/list-keys.ts";
import { mintKey } from "../../account/mint-key.ts";
import { revokeKey } from "../../account/revoke-key.ts";
import type { Context } from "../../context.ts";
import { OrganizationFilter } from "../../wire/field.ts";
import { Deleted, IdParams, parseId } from "../../wire/id.ts";
import {
  LegacyApiKey,
  LegacyApiKeyBody,
  LegacyCreatedApiKey,
  projectApiKey,
  projectCreatedApiKey,
} from "../../wire/legacy/api-keys.ts";
import { LegacyPageQuery, legacyPageOf } from "../../wire/page.ts";
import { defineRoute } from "../route.ts";

const facts = { family: "legacy", resource: "api-keys", feature: "team" } as const;
const Query = Type.Object({ organizationId: OrganizationFilter });

/** `/api-keys`, also at `/api/api-keys`. */
export function registerApiKeys(app: FastifyInstance, ctx: Context): void {
  const collection = { url: "/api-keys", aliases: ["/api/api-keys"] };
  const item = { url: "/api-keys/:id", aliases: ["/api/api-keys/:id"] };
  defineRoute(app, ctx, {
    ...{ ...facts, ...collection, method: "GET", paged: true },
    summary: "List API keys",
    description:
      "Owners and admins see the organization's keys, others their own. Tokens are never shown again.",
    querystring: Type.Object({ ...LegacyPageQuery, organizationId: OrganizationFilter }),
    response: Type.Array(LegacyApiKey),
    async handler(own, { query }) {
      const keys = await listKeys(own, { organization: query.organizationId });
      const { items, page } = legacyPageOf(keys, query);
      return { data: items.map(projectApiKey), page };
    },
  });
  defineRoute(app, ctx, {
    ...{ ...facts, ...collection, method: "POST", status: 201 },
    summary: "Create an API key",
    description: "The token is in this answer only. A key can grant no more than the scopes it has itself.",
    body: LegacyApiKeyBody,
    response: LegacyCreatedApiKey,
    async handler(own, { body }) {
      const { name, scopes, organizationId: organization } = body;
      const expiresAt = body.expiresAt ? Date.parse(body.expiresAt) : null;
      const key = await mintKey(own, { name, scopes, expiresAt, organization });
      return { data: projectCreatedApiKey(key), message: "API key created. Its token is not shown again." };
    },
  });
  defineRoute(app, ctx, {
    ...{ ...facts, ...item, method: "DELETE" },
    summary: "Delete an API key",
    params: IdParams,
    querystring: Query,
    response: Deleted,
    async handler(own, { params, query }) {
      const id = await revokeKey(own, { key: parseId(params.id), organization: query.organizationId });
      return { data: { id }, message: "API key deleted." };
    },
  });
}
