import type { FastifyInstance } from "fastify";
import { Type } from "typebox";
import { foundOrganization } from "../../account/found-organization.ts";
import { getOrganization } from "../../account/get-organization.ts";
import { listOrganizations } from "../../account/list-organizations.ts";
import { renameOrganization } from "../../account/rename-organization.ts";
import type { Context } from "../../context.ts";
import { OrganizationBody } from "../../wire/credentials.ts";
import { UuidParams } from "../../wire/id.ts";
import { V2PageQuery, v2PageOf } from "../../wire/page.ts";
import { projectV2Organization, V2Organization } from "../../wire/v2/organizations.ts";
import { defineRoute } from "../route.ts";

const facts = { family: "v2", resource: "organization" } as const;

/** The organizations a person belongs to. A path takes id, uuid or slug. */
export function registerV2Organizations(app: FastifyInstance, ctx: Context): void {
  defineRoute(app, ctx, {
    ...{ ...facts, method: "GET", url: "/v2/organizations", paged: true },
    summary: "List your organizations",
    querystring: Type.Object(V2PageQuery),
    response: Type.Array(V2Organization),
    async handler(own, { query }) {
      const { items, page } = v2PageOf(await listOrganizations(own), query);
      return { data: items.map(projectV2Organization), page };
    },
  });
  defineRoute(app, ctx, {
    ...{ ...facts, method: "POST", url: "/v2/organizations", status: 201 },
    summary: "Found an organization, which you then own",
    body: OrganizationBody,
    response: V2Organization,
    handler: async (own, { body }) => ({ data: projectV2Organization(await foundOrganization(own, body)) }),
  });
  defineRoute(app, ctx, {
    ...{ ...facts, method: "GET", url: "/v2/organizations/:uuid" },
    summary: "Get one of your organizations",
    params: UuidParams,
    response: V2Organization,
    async handler(own, { params }) {
      return { data: projectV2Organization(await getOrganization(own, { organization: params.uuid })) };
    },
  });
  defineRoute(app, ctx, {
    ...{ ...facts, method: "PUT", url: "/v2/organizations/:uuid" },
    summary: "Rename one of your organizations",
    params: UuidParams,
    body: OrganizationBody,
    response: V2Organization,
    async handler(own, { params, body }) {
      const organization = await renameOrganization(own, { organization: params.uuid, name: body.name });
      return { data: projectV2Organization(organization), message: "Organization renamed." };
    },
  });
}
