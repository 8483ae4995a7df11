import type { FastifyInstance } from "fastify";
import { Type } from "typebox";
import type { Context } from "../../context.ts";
import { createDomain } from "../../monitor/create-domain.ts";
import { deleteDomain } from "../../monitor/delete-domain.ts";
import { getDomain } from "../../monitor/get-domain.ts";
import { listDomains } from "../../monitor/list-domains.ts";
import { updateDomain } from "../../monitor/update-domain.ts";
import { readSort } from "../../wire/domain-sort.ts";
import { parseId, UuidParams } from "../../wire/id.ts";
import { DeletedDomain } from "../../wire/legacy/domains.ts";
import { projectV2DomainDetail, V2DomainDetail } from "../../wire/v2/domain-detail.ts";
import { readV2DomainInput, V2DomainCreate, V2DomainUpdate } from "../../wire/v2/domain-input.ts";
import { projectV2Domain, V2DomainListItem, V2DomainListQuery } from "../../wire/v2/domains.ts";
import { defineRoute } from "../define-route.ts";

const facts = { family: "v2", resource: "domains" } as const;

/** `/v2/domains`: list, create, read, update, delete. */
export function registerV2Domains(app: FastifyInstance, ctx: Context): void {
  defineRoute(app, ctx, {
    ...{ ...facts, method: "GET", url: "/v2/domains", paged: true },
    summary: "List domains",
    description:
      "One page of them, newest first unless sorted otherwise, each with its status and last figures.",
    querystring: V2DomainListQuery,
    response: Type.Array(V2DomainListItem),
    async handler(own, { query }) {
      const { items, total } = await listDomains(own, {
        ...query,
        limit: query.per_page,
        sort: readSort(query.sort),
      });
      const now = own.clock.now();
      const page = { page: query.page, size: query.per_page, total };
      return { data: items.map((item) => projectV2Domain(item, now)), page };
    },
  });
  defineRoute(app, ctx, {
    ...{ ...facts, method: "POST", url: "/v2/domains", status: 201 },
    summary: "Monitor a URL",
    description: "The first check runs at once. 403 when the plan's number of monitors is reached.",
    body: V2DomainCreate,
    response: V2DomainDetail,
    async handler(own, { body }) {
      const domain = await createDomain(own, readV2DomainInput(body));
      return { data: projectV2DomainDetail(domain, own.clock.now()), message: "Domain created." };
    },
  });
  registerV2Domain(app, ctx);
}

function registerV2Domain(app: FastifyInstance, ctx: Context): void {
  defineRoute(app, ctx, {
    ...{ ...facts, method: "GET", url: "/v2/domains/:uuid" },
    summary: "Get a domain",
    description: "Its settings, status, last check and certificate. Credentials are never shown.",
    params: UuidParams,
    response: V2DomainDetail,
    async handler(own, { params }) {
      const domain = await getDomain(own, { ref: parseId(params.uuid) });
      return { data: projectV2DomainDetail(domain, own.clock.now()) };
    },
  });
  defineRoute(app, ctx, {
    ...{ ...facts, method: "PUT", url: "/v2/domains/:uuid" },
    summary: "Change a domain",
    description: "Any subset of the fields; what is not sent stays. `enabled` false pauses it.",
    params: UuidParams,
    body: V2DomainUpdate,
    response: V2DomainDetail,
    async handler(own, { params, body }) {
      const changes = readV2DomainInput(body);
      const domain = await updateDomain(own, { ref: parseId(params.uuid), changes });
      return { data: projectV2DomainDetail(domain, own.clock.now()), message: "Domain updated." };
    },
  });
  defineRoute(app, ctx, {
    ...{ ...facts, method: "DELETE", url: "/v2/domains/:uuid" },
    summary: "Stop monitoring a domain",
    description:
      "Checks stop and an open outage ends. Name and URL can be used again at once; the history goes with retention.",
    params: UuidParams,
    response: DeletedDomain,
    async handler(own, { params }) {
      const { name, ...deleted } = await deleteDomain(own, { ref: parseId(params.uuid) });
      return { data: deleted, auditName: name, message: "Domain deleted." };
    },
  });
}
