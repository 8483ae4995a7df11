import { type Static, Type } from "typebox";
import { factOfGrouping, membersOf } from "../incident/group-rules.ts";
import {
  IMPACTS,
  INCIDENT_SORTS,
  INCIDENT_STATUSES,
  type IncidentStatus,
  SEVERITIES,
} from "../incident/states.ts";
import { titleFact } from "../incident/title-rules.ts";
import { MONITOR_KINDS } from "../monitor/monitor-defaults.ts";
import type { ShownService } from "../store/queries/affected-services.ts";
import type { IncidentFilter } from "../store/queries/incident-filter.ts";
import type { Incident as StoredIncident } from "../store/queries/incidents.ts";
import { inEnglish } from "../texts/english.ts";
import type { Fact as KnownFact } from "../texts/fact.ts";
import { IncidentDeployment, projectSuspect } from "./deployments.ts";
import { Fact, sentenceOf } from "./fact.ts";
import { nullable, oneOf, Timestamp, Uuid } from "./field.ts";
import { IdText } from "./id.ts";
import { NamedMonitor } from "./monitor-fields.ts";
import { PageQuery } from "./page.ts";
import { shown } from "./shown.ts";
import { sortQuery } from "./sort.ts";

const when = (description: string) => Type.Optional(Type.String({ format: "date-time", description }));

/** GET /api/incidents. All of them narrow the list together. */
export const IncidentsQuery = Type.Object({
  status: Type.Optional(oneOf(INCIDENT_STATUSES, { description: "Only incidents in this state." })),
  active: Type.Optional(
    Type.Boolean({ description: "Only those that go on (true), or that are resolved (false)." }),
  ),
  acknowledged: Type.Optional(
    Type.Boolean({ description: "Only those that somebody has acknowledged (true), or nobody (false)." }),
  ),
  severity: Type.Optional(oneOf(SEVERITIES, { description: "Only incidents of this severity." })),
  monitor: Type.Optional({
    ...IdText,
    description: "Only incidents that affect this domain or service: its integer id or uuid.",
  }),
  search: Type.Optional(
    Type.String({
      maxLength: 255,
      description:
        "Only those that have this, in any case, in their title or in the name of something that they affect.",
    }),
  ),
  from: when("Only what still went on at this time, or began later."),
  to: when("Only what began before this time."),
  sort: sortQuery(
    INCIDENT_SORTS,
    "`severity` puts the most severe first, `status` what is open first and what is resolved last, `duration` what lasted shortest; ties are newest first.",
  ),
  ...PageQuery,
});

/** What the query's other filters mean to the store. */
export const incidentFilterOf = ({
  status,
  active,
  acknowledged,
  severity,
  search,
  from,
  to,
}: Static<typeof IncidentsQuery>): Omit<IncidentFilter, "organizationId" | "monitor"> => ({
  ...{ status, active, acknowledged, severity, search },
  from: from === undefined ? undefined : Date.parse(from),
  to: to === undefined ? undefined : Date.parse(to),
});

const AffectedThing = Type.Object(
  {
    name: Type.String({ description: "As it was at the time.", examples: ["Shop"] }),
    monitorId: nullable(Type.Integer(), "The domain or service; null where only the name is known."),
    monitorUuid: nullable(Uuid, "Null: only the name is known, or it was deleted."),
    kind: nullable(oneOf(MONITOR_KINDS), "Null: only the name is known, or it was deleted."),
    outageStartedAt: nullable(Timestamp, "Of its own outage; null where a person said that it is affected."),
    outageEndedAt: nullable(Timestamp, "Null while it is down."),
    maintenanceUntil: nullable(
      Timestamp,
      "When the maintenance window ends that it is in now: nobody is told of it until then. Null: it is in none.",
    ),
  },
  { title: "AffectedThing" },
);

export const Incident = Type.Object(
  {
    id: Type.Integer({ examples: [7] }),
    uuid: Uuid,
    title: Type.String({
      description: "That of an outage says how it stands: “Shop was down” once it is over.",
      examples: ["Shop is down"],
    }),
    titleFact: Fact,
    description: Type.String({
      examples: ["Shop has not been working since 2026-11-21 09:30:00 UTC. The connection was refused."],
    }),
    fact: Fact,
    reason: nullable(
      Type.String({ examples: ["The connection was refused."] }),
      "Why the first of its outages was found: what the check saw. Null: nobody knows, or a person opened it.",
    ),
    reasonFact: Fact,
    deployment: Type.Unsafe<Static<typeof IncidentDeployment> | null>({
      ...IncidentDeployment,
      type: ["object", "null"],
      title: "IncidentDeployment",
      description:
        "The deployment that touches what it affects and was under way, or ended within 15 minutes before it started. Null: there is none.",
    }),
    status: oneOf(INCIDENT_STATUSES),
    severity: oneOf(SEVERITIES, {
      description: "Of the monitor whose outage opened it, or as set by a person.",
    }),
    impact: oneOf(IMPACTS),
    automatic: Type.Boolean({
      description: "Opened by an outage, and resolved by itself with the last outage in it.",
    }),
    affectedServices: Type.Array(Type.String(), { description: "Names." }),
    affected: Type.Array(AffectedThing, { description: "The same in full." }),
    startedAt: Type.Unsafe<string>({ ...Timestamp, description: "The first failure." }),
    detectedAt: Type.Unsafe<string>({ ...Timestamp, description: "When it was confirmed." }),
    resolvedAt: nullable(Timestamp, "Null while it goes on."),
    acknowledgedAt: nullable(Timestamp, "Null: nobody has said yet that they know of it."),
    acknowledgedById: nullable(
      Type.Integer(),
      "Who said so first; null where that was by the link of a message, and nobody was signed in.",
    ),
    acknowledgedByName: nullable(
      Type.String({ examples: ["Ada Lovelace"] }),
      "Their name; else that of the channel whose message it was.",
    ),
    assigneeId: nullable(Type.Integer(), "Whose it is; null: nobody's."),
    assigneeName: nullable(Type.String({ examples: ["Grace Hopper"] })),
    mergedIntoId: nullable(Type.Integer(), "The incident that has its timeline and what it affected now."),
    hasPostmortem: Type.Boolean(),
    grouping: nullable(
      Type.String({ examples: ["All of them are on the host shop.example."] }),
      "Why several monitors share it: what they have in common, or that a person merged their incidents; undone by `split`.",
    ),
    groupingFact: Fact,
    monitorId: nullable(
      Type.Integer(),
      "The domain or service that speaks for it; null: none has been down in it.",
    ),
    monitorUuid: nullable(Uuid),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  },
  { title: "Incident" },
);

/** GET of one. */
export const IncidentDetail = Type.Object(
  {
    ...Incident.properties,
    suppressed: Type.Array(NamedMonitor, {
      description:
        "Domains and services that are down behind what is down in it (`parents`): nobody is told of them. Empty once it is resolved.",
    }),
  },
  { title: "IncidentDetail" },
);

/** Which fact tells of the same when it is over. */
const past: ReadonlyMap<string, KnownFact["code"]> = new Map([
  ["incident.outage", "incident.outage_over"],
  ["incident.outages", "incident.outages_over"],
  ["incident.outages_merged", "incident.outages_merged_over"],
]);

type StoryFacts = Pick<
  StoredIncident,
  "title" | "titleFact" | "description" | "fact" | "resolvedAt" | "affectedServices"
>;

/** What an outage's incident says of itself, in the past once all of it is over. */
export function storyOf(incident: StoryFacts) {
  const { fact, resolvedAt, affectedServices } = incident;
  const isDown = affectedServices.some(
    ({ outageStartedAt, outageEndedAt }) => outageStartedAt !== null && outageEndedAt === null,
  );
  const isOver = resolvedAt !== null && !isDown;
  const said = titleFact(incident, { isOver });
  const titled = { title: isOver && said ? inEnglish(said) : incident.title, titleFact: said };
  const code = fact === null || !isOver ? undefined : past.get(fact.code);
  if (code === undefined) return { ...titled, description: incident.description, fact };
  const over: KnownFact = { ...fact, code };
  return { ...titled, description: inEnglish(over), fact: over };
}

/** An incident as the API shows it. */
export function projectIncident({
  status,
  affectedServices,
  groupedBy,
  deployment,
  ...incident
}: StoredIncident) {
  const members = membersOf(affectedServices);
  const isShared = new Set(members.map(({ monitorId }) => monitorId)).size > 1;
  const isMerged = isShared && members.some(({ merged }) => merged);
  const grouping = factOfGrouping(groupedBy, { leadId: incident.monitorId, isMerged });
  return shown(Incident, {
    ...incident,
    ...storyOf({ ...incident, affectedServices }),
    ...{ grouping: sentenceOf(grouping), groupingFact: grouping },
    ...{ reason: sentenceOf(incident.reason), reasonFact: incident.reason },
    deployment: projectSuspect(deployment, incident.startedAt),
    status: status as IncidentStatus,
    affectedServices: affectedServices.filter(isFirstOfMonitor).map(({ name }) => name),
    affected: affectedServices.map(({ monitorKind, ...service }) =>
      shown(AffectedThing, { ...service, kind: monitorKind }),
    ),
  });
}

/** A monitor that has been down twice in an incident is affected by it once. */
const isFirstOfMonitor = ({ monitorId }: ShownService, index: number, all: readonly ShownService[]) =>
  monitorId === null || all.findIndex((one) => one.monitorId === monitorId) === index;
