import { type Static, Type } from "typebox";
import type { IncidentStatus } from "../incident/states.ts";
import type { Incident as StoredIncident } from "../store/queries/incidents.ts";
import { Fact } from "./fact.ts";
import { nullable, oneOf, Timestamp, timestamp, timestampOrNull, Uuid } from "./field.ts";
import { PageQuery } from "./page.ts";

const STATUSES = [
  "open",
  "investigating",
  "identified",
  "monitoring",
  "resolved",
] as const satisfies IncidentStatus[];
const SEVERITIES = ["low", "medium", "high", "critical"] as const;
const IMPACTS = ["none", "minor", "major", "critical"] as const;

const IncidentFilters = {
  status: Type.Optional(oneOf(STATUSES, { description: "Only incidents in this state." })),
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
    status: oneOf(STATUSES),
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
export function projectIncident(incident: StoredIncident): Static<typeof Incident> {
  return {
    id: incident.id,
    uuid: incident.uuid,
    title: incident.title,
    description: incident.description,
    fact: incident.fact,
    status: incident.status as Static<typeof Incident>["status"],
    severity: incident.severity,
    impact: incident.impact,
    affectedServices: incident.affectedServices.map(({ name }) => name),
    startedAt: timestamp(incident.startedAt),
    detectedAt: timestamp(incident.detectedAt),
    resolvedAt: timestampOrNull(incident.resolvedAt),
    monitorId: incident.monitorId,
    monitorUuid: incident.monitorUuid,
    createdAt: timestamp(incident.createdAt),
    updatedAt: timestamp(incident.updatedAt),
  };
}
