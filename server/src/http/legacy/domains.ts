import type { FastifyInstance } from "fastify";
import { Type } from "typebox";
import type { Context } from "../../context.ts";
import { createDomain } from "../../monitor/create-domain.ts";
import { deleteDomain } from "../../monitor/delete-domain.ts";
import { getDomain } from "../../monitor/get-domain.ts";
import { listDomains } from "../../monitor/list-domains.ts";
import { updateDomain } from "../../monitor/update-domain.ts";
import { mapInTurns } from "../../turns.ts";
import { readSort } from "../../wire/domain-sort.ts";
import { IdParams, parseId } from "../../wire/id.ts";
import { DomainDetail, projectDomainDetail } from "../../wire/legacy/domain-detail.ts";
import { DomainCreate, DomainUpdate, readDomainInput } from "../../wire/legacy/domain-input.ts";
import { DeletedDomain, DomainListItem, DomainListQuery, projectDomain } from "../../wire/legacy/domains.ts";
import { defineRoute } from "../define-route.ts";

const facts = { family: "legacy", resource: "domains" } as const;

/** `/api/domains`: list, create, read, update, delete. */
export function registerDomains(app: FastifyInstance, ctx: Context): void {
  defineRoute(app, ctx, {
    ...{ ...facts, method: "GET", url: "/api/domains", paged: true },
    summary: "List domains",
    description:
      "One page of them, newest first unless sorted otherwise, each with its status and last figures.",
    querystring: DomainListQuery,
    response: Type.Array(DomainListItem),
    async handler(own, { query }) {
      const { items, total } = await listDomains(own, { ...query, sort: readSort(query.sort) });
      const now = own.clock.now();
      const page = { page: query.page, size: query.limit, total };
      return { data: await mapInTurns(items, (item) => projectDomain(item, now)), page };
    },
  });
  defineRoute(app, ctx, {
    ...{ ...facts, method: "POST", url: "/api/domains", status: 201 },
    summary: "Monitor a URL",
    description: "The first check runs at once. 403 when the plan's number of monitors is reached.",
    body: DomainCreate,
    response: DomainDetail,
    async handler(own, { body }) {
      const domain = await createDomain(own, readDomainInput(body));
      return { data: projectDomainDetail(domain, own.clock.now()), message: "Domain created." };
    },
  });
  registerDomain(app, ctx);
}

function registerDomain(app: FastifyInstance, ctx: Context): void {
  defineRoute(app, ctx, {
    ...{ ...facts, method: "GET", url: "/api/domains/:id" },
    summary: "Get a domain",
    description: "Its settings, status, last check and certificate. Credentials are never shown.",
    params: IdParams,
    response: DomainDetail,
    async handler(own, { params }) {
      const domain = await getDomain(own, { ref: parseId(params.id) });
      return { data: projectDomainDetail(domain, own.clock.now()) };
    },
  });
  defineRoute(app, ctx, {
    ...{ ...facts, method: "PUT", url: "/api/domains/:id" },
    summary: "Change a domain",
    description: "Any subset of the fields; what is not sent stays. `enabled` false pauses it.",
    params: IdParams,
    body: DomainUpdate,
    response: DomainDetail,
    async handler(own, { params, body }) {
      const domain = await updateDomain(own, { ref: parseId(params.id), changes: readDomainInput(body) });
      return { data: projectDomainDetail(domain, own.clock.now()), message: "Domain updated." };
    },
  });
  defineRoute(app, ctx, {
    ...{ ...facts, method: "DELETE", url: "/api/domains/:id" },
    summary: "Stop monitoring a domain",
    description:
      "Checks stop and an open outage ends. Name and URL can be used again at once; the history goes with retention.",
    params: IdParams,
    response: DeletedDomain,
    async handler(own, { params }) {
      const { name, ...deleted } = await deleteDomain(own, { ref: parseId(params.id) });
      return { data: deleted, auditName: name, message: "Domain deleted." };
    },
  });
}
