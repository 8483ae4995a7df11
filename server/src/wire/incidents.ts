import { Type } from "typebox";
import { IMPACTS, INCIDENT_STATUSES, type IncidentStatus, SEVERITIES } from "../incident/states.ts";
import type { Incident as StoredIncident } from "../store/queries/incidents.ts";
import { Fact } from "./fact.ts";
import { nullable, oneOf, Timestamp, Uuid } from "./field.ts";
import { PageQuery } from "./page.ts";
import { shown } from "./shown.ts";

const IncidentFilters = {
  status: Type.Optional(oneOf(INCIDENT_STATUSES, { description: "Only incidents in this state." })),
  severity: Type.Optional(oneOf(SEVERITIES, { description: "Only incidents of this severity." })),
};

/** GET /api/incidents. */
export const IncidentsQuery = Type.Object({
  ...IncidentFilters,
  ...PageQuery,
});

export const Incident = Type.Object(
  {
    id: Type.Integer({ examples: [7] }),
    uuid: Uuid,
    title: Type.String({ examples: ["Shop is down"] }),
    description: Type.String({
      examples: ["Shop has not been working since 2026-11-21 09:30:00 UTC. The connection was refused."],
    }),
    fact: Fact,
    status: oneOf(INCIDENT_STATUSES),
    severity: oneOf(SEVERITIES, {
      description: "Of the monitor whose outage opened it, or as set by a person.",
    }),
    impact: oneOf(IMPACTS),
    affectedServices: Type.Array(Type.String(), { description: "Names." }),
    startedAt: Type.Unsafe<string>({ ...Timestamp, description: "The first failure." }),
    detectedAt: Type.Unsafe<string>({ ...Timestamp, description: "When it was confirmed." }),
    resolvedAt: nullable(Timestamp, "Null while it goes on."),
    monitorId: nullable(
      Type.Integer(),
      "The domain or service whose outage opened it; null: opened by a person.",
    ),
    monitorUuid: nullable(Uuid),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  },
  { title: "Incident" },
);

/** An incident as the API shows it. */
export function projectIncident({ status, affectedServices, ...incident }: StoredIncident) {
  const names = affectedServices.map(({ name }) => name);
  return shown(Incident, { ...incident, status: status as IncidentStatus, affectedServices: names });
}
