import { type Static, Type } from "typebox";
import { IncidentDeployment, projectSuspect } from "../../integrations/schemas/deployments.ts";
import { NamedMonitor } from "../../monitors/schemas/monitor-input.ts";
import { inEnglish } from "../../platform/i18n/english.ts";
import type { MessageDescriptor } from "../../platform/i18n/message.ts";
import {
  IMPACTS,
  INCIDENT_SORTS,
  INCIDENT_STATUSES,
  type IncidentStatus,
  MONITOR_KINDS,
  SEVERITIES,
} from "../../platform/monitor-defaults.ts";
import {
  fromOutside,
  IdText,
  MessageSchema,
  nullable,
  oneOf,
  sentenceOf,
  shown,
  Timestamp,
  Uuid,
} from "../../platform/operations/field.ts";
import { PageQuery, sortQuery } from "../../platform/operations/paging.ts";
import { membersOf, messageOfGrouping } from "../group-rules.ts";
import { messageOf } from "../live-incident.ts";
import type { ShownService } from "../queries/affected-services.ts";
import type { IncidentFilter, Incident as StoredIncident } from "../queries/incidents.ts";
import { titleMessage } from "../title-rules.ts";

const when = (description: string) => Type.Optional(Type.String({ format: "date-time", description }));

/** GET /api/incidents. All of them narrow the list together. */
export const IncidentsQuery = Type.Object({
  status: Type.Optional(oneOf(INCIDENT_STATUSES, { description: "Only incidents in this state." })),
  active: Type.Optional(
    Type.Boolean({ description: "Only open incidents (true), or only resolved ones (false)." }),
  ),
  acknowledged: Type.Optional(
    Type.Boolean({
      description: "Only incidents that are acknowledged (true), or that are not (false).",
    }),
  ),
  severity: Type.Optional(oneOf(SEVERITIES, { description: "Only incidents of this severity." })),
  monitor: Type.Optional({
    ...IdText,
    description: "Only incidents that affect this domain, service or device: its integer id or uuid.",
  }),
  device: Type.Optional({
    ...IdText,
    description: "Only incidents that affect this device: its integer id or uuid.",
  }),
  search: Type.Optional(
    Type.String({
      maxLength: 255,
      description:
        "Only incidents with this text in their title or in the name of something that they affect, in upper or lower case.",
    }),
  ),
  from: when("Only what still went on at this time, or began later."),
  to: when("Only what began before this time."),
  sort: sortQuery(
    INCIDENT_SORTS,
    "`severity`: the most severe first; `status`: open first, resolved last; `duration`: the shortest first; `createdAt`: in the order in which they were recorded, so that pages do not shift while others are. Ties: the newest first.",
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
}: Static<typeof IncidentsQuery>): Omit<IncidentFilter, "organizationId" | "monitors"> => ({
  ...{ status, active, acknowledged, severity, search },
  from: from === undefined ? undefined : Date.parse(from),
  to: to === undefined ? undefined : Date.parse(to),
});

const AffectedThing = Type.Object(
  {
    name: Type.String({ description: "As it was at the time.", examples: ["Shop"] }),
    monitorId: nullable(Type.Integer(), "The domain, service or device; null where only the name is known."),
    monitorUuid: nullable(Uuid, "Null: only the name is known, or it was deleted."),
    kind: nullable(oneOf(MONITOR_KINDS), "Null: only the name is known, or it was deleted."),
    outageStartedAt: nullable(Timestamp, "Of its own outage; null where a person said that it is affected."),
    outageEndedAt: nullable(Timestamp, "Null while it is down."),
    acknowledged: Type.Boolean({
      description:
        "Its outage was acknowledged. One that joins an acknowledged incident is not, until the incident is acknowledged again.",
    }),
    flapping: Type.Boolean({
      description:
        "Its outage goes on, and it goes down and comes back again and again: it may be up right now.",
    }),
    maintenanceUntil: nullable(
      Timestamp,
      "When the maintenance window that it is in now ends; until then, no notifications are sent. Null: it is in none.",
    ),
  },
  { title: "AffectedThing" },
);

export const Incident = Type.Object(
  {
    id: Type.Integer({ examples: [7] }),
    uuid: Uuid,
    title: Type.String({
      description: "The title of an outage follows its state: “Shop was down” once it is over.",
      examples: ["Shop is down"],
    }),
    titleFact: MessageSchema,
    description: fromOutside(
      Type.String({
        examples: ["Shop has not been working since 2026-11-21 09:30:00 UTC. The connection was refused."],
      }),
    ),
    fact: MessageSchema,
    reason: fromOutside(
      nullable(
        Type.String({ examples: ["The connection was refused."] }),
        "Why the check behind its first outage failed. Null: not known, or a person opened it.",
      ),
    ),
    reasonFact: MessageSchema,
    deployment: Type.Unsafe<Static<typeof IncidentDeployment> | null>({
      ...IncidentDeployment,
      type: ["object", "null"],
      title: "IncidentDeployment",
      description:
        "The deployment that touches what it affects and was under way, or ended within 15 minutes before it started. Null: there is none.",
    }),
    status: oneOf(INCIDENT_STATUSES),
    severity: oneOf(SEVERITIES, {
      description: "That of the monitor whose outage opened it, or what a person has set.",
    }),
    impact: oneOf(IMPACTS),
    automatic: Type.Boolean({
      description: "Opened by an outage, and resolved automatically when its last outage ends.",
    }),
    affectedServices: Type.Array(Type.String(), { description: "Names." }),
    affected: Type.Array(AffectedThing, { description: "The same in full." }),
    startedAt: Type.Unsafe<string>({ ...Timestamp, description: "The first failure." }),
    detectedAt: Type.Unsafe<string>({ ...Timestamp, description: "When it was confirmed." }),
    resolvedAt: nullable(Timestamp, "Null while it goes on."),
    acknowledgedAt: nullable(Timestamp, "Null: it is not acknowledged."),
    acknowledgedById: nullable(
      Type.Integer(),
      "Who acknowledged it first; null if that was by the link in a message and no one was signed in.",
    ),
    acknowledgedByName: nullable(
      Type.String({ examples: ["Ada Lovelace"] }),
      "Their name, or that of the channel whose link was used.",
    ),
    assigneeId: nullable(Type.Integer(), "Whose it is; null: it is not assigned."),
    assigneeName: nullable(Type.String({ examples: ["Grace Hopper"] })),
    mergedIntoId: nullable(Type.Integer(), "The incident that has its timeline and what it affected now."),
    hasPostmortem: Type.Boolean(),
    grouping: nullable(
      Type.String({ examples: ["They are on the same host: shop.example."] }),
      "Why several monitors share it: what they have in common, or that a person merged their incidents; undone by `split`.",
    ),
    groupingFact: MessageSchema,
    monitorId: nullable(
      Type.Integer(),
      "The monitor that leads it: usually the first that went down. Null: none has been down in it.",
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
        "Monitors that are down and depend on what is down in it (`parents`): no notifications are sent of them. Empty once it is resolved.",
    }),
  },
  { title: "IncidentDetail" },
);

type StoryDetails = Pick<
  StoredIncident,
  "title" | "titleMessage" | "description" | "descriptionMessage" | "resolvedAt" | "affectedServices"
>;

/** What an outage's incident says of itself, in the past once all of it is over. */
export function storyOf(incident: StoryDetails) {
  const { descriptionMessage: message, resolvedAt, affectedServices } = incident;
  const isOver = resolvedAt !== null && !affectedServices.some(isOpen);
  const said = titleMessage(incident, { isOver });
  const titled = { title: isOver && said ? inEnglish(said) : incident.title, titleFact: said };
  const code = messageOf(message).over;
  if (message === null || !isOver || code === undefined)
    return { ...titled, description: incident.description, fact: message };
  const over: MessageDescriptor = { ...message, code };
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
  const names = new Map(members.map(({ monitorId, name }) => [monitorId, name]));
  const isShared = names.size > 1;
  const isMerged = isShared && members.some(({ merged }) => merged);
  const { monitorId: leadId } = incident;
  if (leadId !== null) names.delete(leadId);
  const grouping = messageOfGrouping(groupedBy, { leadId, others: [...names.values()], isMerged });
  return shown(Incident, {
    ...incident,
    ...storyOf({ ...incident, affectedServices }),
    ...{ grouping: sentenceOf(grouping), groupingFact: grouping },
    ...{ reason: sentenceOf(incident.reason), reasonFact: incident.reason },
    deployment: projectSuspect(deployment, incident.startedAt),
    status: status as IncidentStatus,
    affectedServices: affectedServices.filter(isFirstOfMonitor).map(({ name }) => name),
    affected: affectedServices.map(({ monitorKind, ...service }) =>
      shown(AffectedThing, { ...service, kind: monitorKind, flapping: service.flapping && isOpen(service) }),
    ),
  });
}

const isOpen = ({
  outageStartedAt,
  outageEndedAt,
}: Pick<ShownService, "outageStartedAt" | "outageEndedAt">) =>
  outageStartedAt !== null && outageEndedAt === null;

/** A monitor that has been down twice in an incident is affected by it once. */
const isFirstOfMonitor = ({ monitorId }: ShownService, index: number, all: readonly ShownService[]) =>
  monitorId === null || all.findIndex((one) => one.monitorId === monitorId) === index;
