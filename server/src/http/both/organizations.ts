import { Type } from "typebox";
import { foundOrganization } from "../../account/found-organization.ts";
import { getOrganization } from "../../account/get-organization.ts";
import { listOrganizations } from "../../account/list-organizations.ts";
import { renameOrganization } from "../../account/rename-organization.ts";
import { OrganizationBody } from "../../wire/credentials.ts";
import { IdParams } from "../../wire/id.ts";
import { Organization, projectOrganization } from "../../wire/organizations.ts";
import { PageQuery, pageOf } from "../../wire/page.ts";
import type { DefineBoth } from "../both-families.ts";

const facts = { resource: "organization" } as const;

/** The organizations a person belongs to. A path takes id, uuid or slug. */
export function describeOrganizations(define: DefineBoth): void {
  define({
    ...facts,
    method: "GET",
    url: "/api/organizations",
    paged: true,
    summary: "List your organizations",
    description: "Those you belong to, oldest first, each with your role in it.",
    querystring: Type.Object(PageQuery),
    response: Type.Array(Organization),
    async handler(own, { query }) {
      const { items, page } = pageOf(await listOrganizations(own), query);
      return { data: items.map(projectOrganization), page };
    },
  });
  define({
    ...facts,
    method: "POST",
    url: "/api/organizations",
    status: 201,
    summary: "Found an organization, which you then own",
    description:
      "It starts on this installation's default plan, and its slug is made from the name. An API key must be one for all of your organizations.",
    body: OrganizationBody,
    response: Organization,
    handler: async (own, { body }) => ({ data: projectOrganization(await foundOrganization(own, body)) }),
  });
  define({
    ...facts,
    method: "GET",
    url: "/api/organizations/:id",
    summary: "Get one of your organizations",
    description: "By id, uuid or slug. One you do not belong to answers 404.",
    params: IdParams,
    response: Organization,
    async handler(own, { params }) {
      return { data: projectOrganization(await getOrganization(own, { organization: params.id })) };
    },
  });
  define({
    ...facts,
    method: "PUT",
    url: "/api/organizations/:id",
    summary: "Rename one of your organizations",
    description: "Only for owners and admins. The slug stays as it is, so that addresses keep working.",
    params: IdParams,
    body: OrganizationBody,
    response: Organization,
    async handler(own, { params, body }) {
      const organization = await renameOrganization(own, { organization: params.id, name: body.name });
      return { data: projectOrganization(organization), message: "Organization renamed." };
    },
  });
}
