import { Type } from "typebox";
import { getIncident } from "../../incident/get-incident.ts";
import { listIncidents } from "../../incident/list-incidents.ts";
import { IdParams, parseId } from "../../wire/id.ts";
import { Incident, IncidentsQuery, projectIncident } from "../../wire/incidents.ts";
import type { DefineBoth } from "../both-families.ts";

const facts = { resource: "incidents", feature: "team", method: "GET" } as const;
/** Legacy lists without paging give everything up to this many (decisions §1). */
const UNPAGED_LIMIT = 1000;
const PAGE_LIMIT = 20;

/** Outages and what people report: list and detail. */
export function describeIncidents(define: DefineBoth): void {
  define({
    ...facts,
    url: "/api/incidents",
    paged: true,
    summary: "List incidents",
    description: "Newest first: all, up to 1,000, or one page when `page` or `limit` is given.",
    querystring: IncidentsQuery,
    response: Type.Array(Incident),
    v2: {
      description: "One page of the outages that were found and of what people reported, newest first.",
    },
    async handler(own, { query }) {
      const { status, severity, page = 1 } = query;
      const paged = query.page !== undefined || query.limit !== undefined;
      const limit = query.limit ?? (paged ? PAGE_LIMIT : UNPAGED_LIMIT);
      const { items, total } = await listIncidents(own, { status, severity, page, limit });
      return { data: items.map(projectIncident), ...(paged && { page: { page, size: limit, total } }) };
    },
  });
  define({
    ...facts,
    url: "/api/incidents/:id",
    summary: "Get an incident",
    description: "When it began, was confirmed and ended, what it affects, and why.",
    params: IdParams,
    response: Incident,
    handler: async (own, { params }) => ({
      data: projectIncident(await getIncident(own, { ref: parseId(params.id) })),
    }),
  });
}
