import type { FastifyInstance } from "fastify";
import { Type } from "typebox";
import { foundOrganization } from "../../account/found-organization.ts";
import { getOrganization } from "../../account/get-organization.ts";
import { listOrganizations } from "../../account/list-organizations.ts";
import { renameOrganization } from "../../account/rename-organization.ts";
import type { Context } from "../../context.ts";
import { OrganizationBody } from "../../wire/credentials.ts";
import { IdParams } from "../../wire/id.ts";
import { Organization, projectOrganization } from "../../wire/legacy/organizations.ts";
import { LegacyPageQuery, legacyPageOf } from "../../wire/page.ts";
import { defineRoute } from "../route.ts";

const facts = { family: "legacy", resource: "organization" } as const;

/** The organizations a person belongs to. A path takes id, uuid or slug. */
export function registerOrganizations(app: FastifyInstance, ctx: Context): void {
  defineRoute(app, ctx, {
    ...{ ...facts, method: "GET", url: "/api/organizations", paged: true },
    summary: "List your organizations",
    querystring: Type.Object(LegacyPageQuery),
    response: Type.Array(Organization),
    async handler(own, { query }) {
      const { items, page } = legacyPageOf(await listOrganizations(own), query);
      return { data: items.map(projectOrganization), page };
    },
  });
  defineRoute(app, ctx, {
    ...{ ...facts, method: "POST", url: "/api/organizations", status: 201 },
    summary: "Found an organization, which you then own",
    body: OrganizationBody,
    response: Organization,
    handler: async (own, { body }) => ({ data: projectOrganization(await foundOrganization(own, body)) }),
  });
  defineRoute(app, ctx, {
    ...{ ...facts, method: "GET", url: "/api/organizations/:id" },
    summary: "Get one of your organizations",
    params: IdParams,
    response: Organization,
    async handler(own, { params }) {
      return { data: projectOrganization(await getOrganization(own, { organization: params.id })) };
    },
  });
  defineRoute(app, ctx, {
    ...{ ...facts, method: "PUT", url: "/api/organizations/:id" },
    summary: "Rename one of your organizations",
    params: IdParams,
    body: OrganizationBody,
    response: Organization,
    async handler(own, { params, body }) {
      const organization = await renameOrganization(own, { organization: params.id, name: body.name });
      return { data: projectOrganization(organization), message: "Organization renamed." };
    },
  });
}
