import type { FastifyInstance } from "fastify";
import { Type } from "typebox";
import type { Context } from "../../context.ts";
import { getIncident } from "../../incident/get-incident.ts";
import { listIncidents } from "../../incident/list-incidents.ts";
import { parseId, UuidParams } from "../../wire/id.ts";
import { Incident, projectIncident } from "../../wire/legacy/incidents.ts";
import { V2Incident, V2IncidentsQuery } from "../../wire/v2/incidents.ts";
import { toSnake } from "../../wire/v2/snake-case.ts";
import { defineRoute } from "../route.ts";

const facts = { family: "v2", resource: "incidents", method: "GET" } as const;

/** Outages and what people report: list and detail. */
export function registerV2Incidents(app: FastifyInstance, ctx: Context): void {
  defineRoute(app, ctx, {
    ...{ ...facts, url: "/v2/incidents", paged: true },
    summary: "List incidents",
    description: "Newest first.",
    querystring: V2IncidentsQuery,
    response: Type.Array(V2Incident),
    async handler(own, { query }) {
      const { page = 1, per_page: limit = 15, status, severity, organization } = query;
      const { items, total } = await listIncidents(own, { status, severity, organization, page, limit });
      return {
        data: items.map((item) => toSnake(Incident, projectIncident(item))),
        page: { page, size: limit, total },
      };
    },
  });
  defineRoute(app, ctx, {
    ...{ ...facts, url: "/v2/incidents/:uuid" },
    summary: "Get an incident",
    params: UuidParams,
    response: V2Incident,
    async handler(own, { params }) {
      const incident = await getIncident(own, { ref: parseId(params.uuid) });
      return { data: toSnake(Incident, projectIncident(incident)) };
    },
  });
}
