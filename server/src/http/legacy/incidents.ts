import type { FastifyInstance } from "fastify";
import { Type } from "typebox";
import type { Context } from "../../context.ts";
import { getIncident } from "../../incident/get-incident.ts";
import { listIncidents } from "../../incident/list-incidents.ts";
import { IdParams, parseId } from "../../wire/id.ts";
import { Incident, IncidentsQuery, projectIncident } from "../../wire/legacy/incidents.ts";
import { defineRoute } from "../route.ts";

const facts = { family: "legacy", resource: "incidents", feature: "team", method: "GET" } as const;
/** Legacy lists without paging give everything up to this many (decisions §1). */
const UNPAGED_LIMIT = 1000;
const PAGE_LIMIT = 20;

/** Outages and what people report: list and detail. */
export function registerIncidents(app: FastifyInstance, ctx: Context): void {
  defineRoute(app, ctx, {
    ...{ ...facts, url: "/api/incidents", paged: true },
    summary: "List incidents",
    description: "Newest first: all, up to 1,000, or one page when `page` or `limit` is given.",
    querystring: IncidentsQuery,
    response: Type.Array(Incident),
    async handler(own, { query }) {
      const { status, severity, organizationId: organization, page = 1 } = query;
      const paged = query.page !== undefined || query.limit !== undefined;
      const limit = query.limit ?? (paged ? PAGE_LIMIT : UNPAGED_LIMIT);
      const { items, total } = await listIncidents(own, { status, severity, organization, page, limit });
      return { data: items.map(projectIncident), ...(paged && { page: { page, size: limit, total } }) };
    },
  });
  defineRoute(app, ctx, {
    ...{ ...facts, url: "/api/incidents/:id" },
    summary: "Get an incident",
    params: IdParams,
    response: Incident,
    handler: async (own, { params }) => ({
      data: projectIncident(await getIncident(own, { ref: parseId(params.id) })),
    }),
  });
}
