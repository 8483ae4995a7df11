import { type Static, type TSchema, Type } from "typebox";
import { CERTIFICATE_NOTIFICATIONS, OBJECTIVE_NOTIFICATIONS } from "../alerts/channels/filter.ts";
import { NOTIFICATION_TYPES, ORGANIZATION_EVENTS } from "../alerts/delivery-rules.ts";
import { DEVICE_EVENTS } from "../alerts/event-rules.ts";
import { OUTCOME_NAMES } from "../checks/outcome.ts";
import { MONITOR_NOTIFICATIONS, STATUSES } from "../engine/status/state.ts";
import { MonitorStatus } from "../monitors/schemas/monitor-fields.ts";
import { MONITOR_KIND_TRAITS } from "../platform/access/monitor-kinds.ts";
import type { Feature } from "../platform/access/plans.ts";
import type { Resource } from "../platform/access/scopes.ts";
import { MONITOR_KINDS } from "../platform/monitor-defaults.ts";
import { MessageSchema, nullable, oneOf, Timestamp, Uuid } from "../platform/operations/field.ts";
import { snakeSchema } from "../platform/operations/snake-case.ts";

/* What events of the live stream carry that only say what has to be read again. */

const MaintenanceChange = Type.Object({
  windowId: nullable(
    Type.Integer({ examples: [3] }),
    "The window that was planned, changed or deleted; null: monitors entered or left one.",
  ),
});

const IntegrationChange = Type.Object({
  integrationId: Type.Integer({ description: "The linked account.", examples: [3] }),
});

const DeploymentChange = Type.Object({
  deploymentId: nullable(
    Type.Integer({ examples: [12] }),
    "Null: a webhook was made, changed or deleted, or something came in by one.",
  ),
  monitorIds: Type.Array(Type.Integer(), { description: "The monitors that it touches." }),
});

export type MaintenanceEventData = Static<typeof MaintenanceChange>;
export type IntegrationEventData = Static<typeof IntegrationChange>;
export type DeploymentEventData = Static<typeof DeploymentChange>;

const MonitorId = Type.Integer({ description: "The domain, service or device.", examples: [7] });
const Kind = oneOf(MONITOR_KINDS);
const State = oneOf(STATUSES, {
  description: "The full state behind `status`.",
});
const Name = Type.String({ description: "Of the monitor.", examples: ["Shop"] });
const reason = nullable(Type.String({ examples: ["The connection was refused."] }), "Null when all is well.");

const StatusChange = Type.Object({
  monitorId: MonitorId,
  uuid: Uuid,
  kind: Kind,
  name: Name,
  from: Type.Unsafe<Static<typeof State>>({ ...State, description: "The state before." }),
  status: MonitorStatus,
  state: State,
  statusSince: Type.Unsafe<string>({ ...Timestamp, description: "When it became true." }),
  detectedAt: Type.Unsafe<string>({ ...Timestamp, description: "When it was confirmed." }),
  reason,
  reasonFact: MessageSchema,
  location: nullable(
    Type.String({ examples: ["local"] }),
    "Where it was noticed last; null: everywhere alike.",
  ),
});

const CheckResult = Type.Object({
  monitorId: MonitorId,
  kind: Kind,
  location: Type.String({ examples: ["local"] }),
  timestamp: Timestamp,
  verdict: oneOf(OUTCOME_NAMES, {
    description:
      "`probe_fault`: a problem of the checking machine itself, which says nothing of the monitor.",
  }),
  status: MonitorStatus,
  state: State,
  statusCode: nullable(Type.Integer(), "Of the HTTP answer."),
  responseTime: nullable(Type.Number(), "Milliseconds."),
  reason: Type.Optional(Type.String({ description: "Only when the check did not pass." })),
  reasonFact: Type.Optional(MessageSchema),
});

const Notification = Type.Object({
  uuid: Uuid,
  monitorId: nullable(MonitorId),
  incidentId: nullable(Type.Integer(), "The incident it is about."),
  event: oneOf([
    ...MONITOR_NOTIFICATIONS,
    ...DEVICE_EVENTS,
    ...CERTIFICATE_NOTIFICATIONS,
    ...OBJECTIVE_NOTIFICATIONS,
    ...ORGANIZATION_EVENTS,
  ]),
  type: oneOf(NOTIFICATION_TYPES),
  message: Type.String({ description: "In English and UTC.", examples: ["Shop is working again."] }),
  fact: MessageSchema,
  kind: nullable(Kind, "Of the monitor; null: the notification is about none, but about the organization."),
  monitorName: nullable(Name, "Null: it is about none."),
  since: Timestamp,
  reason,
  reasonFact: MessageSchema,
  outageMs: nullable(Type.Integer(), "How long the outage that has just ended lasted, milliseconds."),
  isQuiet: Type.Boolean({
    description:
      "Another notification of the same incident speaks for it, so that people need not be disturbed.",
  }),
  togetherFact: MessageSchema,
  createdAt: Timestamp,
});

const IncidentChange = Type.Object({
  id: Type.Integer({ examples: [7] }),
  uuid: Uuid,
  monitorId: nullable(
    MonitorId,
    "The domain, service or device that speaks for it; null: none has been down in it.",
  ),
  title: Type.String({ examples: ["Shop is down"] }),
  fact: MessageSchema,
  status: Type.String({ description: "As in the list of incidents.", examples: ["open"] }),
  severity: Type.String({ description: "As in the list of incidents.", examples: ["high"] }),
  startedAt: Timestamp,
  resolvedAt: nullable(Timestamp, "Null while it goes on."),
  isDeleted: Type.Optional(Type.Boolean({ description: "True: it was deleted." })),
});

const MonitorChange = Type.Object({
  monitorId: Type.Integer({ description: "The first of `monitorIds`.", examples: [7] }),
  monitorIds: Type.Array(Type.Integer(), { description: "All that changed: a bulk action has many." }),
});

/** One type of event: who may see it (`read` of the resource, where the plan has the feature), and what it carries. */
interface LiveEventKind {
  resource: Resource;
  feature: Feature;
  /** Of its component in OpenAPI. */
  title: string;
  description: string;
  data: TSchema;
}

const { domain: OF_DOMAINS, service: OF_SERVICES, device: OF_DEVICES } = MONITOR_KIND_TRAITS;
const results = Type.Object({ results: Type.Array(CheckResult) });

/** Every type of event that clients receive. Types that are not listed here are never sent. */
export const LIVE_EVENTS = {
  status: {
    ...OF_DOMAINS,
    title: "StatusEvent",
    data: StatusChange,
    description: "A domain's status changed.",
  },
  "service.status": {
    ...OF_SERVICES,
    title: "ServiceStatusEvent",
    data: StatusChange,
    description: "A service's status changed.",
  },
  "device.status": {
    ...OF_DEVICES,
    title: "DeviceStatusEvent",
    data: StatusChange,
    description: "A device's status changed.",
  },
  results: {
    ...OF_DOMAINS,
    title: "ResultsEvent",
    data: results,
    description: "Checks of domains that were made, several at a time.",
  },
  "service.results": {
    ...OF_SERVICES,
    title: "ServiceResultsEvent",
    data: results,
    description: "Checks of services that were made, several at a time.",
  },
  "device.reported": {
    ...OF_DEVICES,
    title: "DeviceReportedEvent",
    data: results,
    description: "Devices reported, several at a time. One that is silent has a `device.status`.",
  },
  notification: {
    resource: "notifications",
    feature: "basic",
    title: "NotificationEvent",
    data: Notification,
    description: "A notification.",
  },
  incident: {
    resource: "incidents",
    feature: "team",
    title: "IncidentEvent",
    data: IncidentChange,
    description: "An incident was opened or changed.",
  },
  maintenance: {
    resource: "maintenance",
    feature: "full",
    title: "MaintenanceEvent",
    data: MaintenanceChange,
    description: "A maintenance window was planned, changed or deleted, or monitors entered or left one.",
  },
  integration: {
    resource: "integrations",
    feature: "full",
    title: "IntegrationEvent",
    data: IntegrationChange,
    description: "An account at another system was linked, changed, read or unlinked.",
  },
  deployment: {
    resource: "integrations",
    feature: "full",
    title: "DeploymentEvent",
    data: DeploymentChange,
    description: "A deployment was reported, changed or deleted, or a webhook for deployments was.",
  },
  "monitor.changed": {
    ...OF_DOMAINS,
    title: "MonitorChangedEvent",
    data: MonitorChange,
    description: "Domains were created, changed, paused, resumed or deleted.",
  },
  "service.changed": {
    ...OF_SERVICES,
    title: "ServiceChangedEvent",
    data: MonitorChange,
    description: "Services were created, changed, paused, resumed or deleted.",
  },
  "device.changed": {
    ...OF_DEVICES,
    title: "DeviceChangedEvent",
    data: MonitorChange,
    description: "Devices were created, changed, paused, resumed or deleted.",
  },
} satisfies Record<string, LiveEventKind>;

const Position = Type.String({
  description: "The position in the stream: send the last one back as `Last-Event-ID` to resume. Opaque.",
  examples: ["q1Yp0d7T3fJm2nVx8sKcLA"],
});

const RESET = {
  title: "ResetEvent",
  description: "Something was missed and can no longer be sent: read everything again.",
  data: Type.Object({}),
};

const eventSchema = (
  type: string,
  { title, description, data }: Omit<LiveEventKind, "resource" | "feature">,
) => Type.Object({ id: Position, event: oneOf([type]), data }, { title, description });

/** The messages of the stream, one of these an event, as a client of the family reads it: `id`, `event`, and `data` parsed. */
export function liveStreamSchema(family: "legacy" | "v2"): TSchema {
  const kinds: [string, Omit<LiveEventKind, "resource" | "feature">][] = Object.entries(LIVE_EVENTS);
  const legacy = [...kinds, ["reset", RESET] as const].map(([type, kind]) => eventSchema(type, kind));
  const schemas = family === "v2" ? legacy.map(snakeSchema) : legacy;
  const named = schemas as unknown as { title: string; properties: { event: { enum: [string] } } }[];
  const mapping = named.map(({ title, properties }) => [
    properties.event.enum[0],
    `#/components/schemas/${title}`,
  ]);
  return Type.Unsafe({
    title: family === "v2" ? "V2LiveEvent" : "LiveEvent",
    oneOf: schemas,
    discriminator: { propertyName: "event", mapping: Object.fromEntries(mapping) },
  });
}

export type StatusEventData = Static<typeof StatusChange>;
export type ResultData = Static<typeof CheckResult>;
export type IncidentEventData = Static<typeof IncidentChange>;
export type NotificationEventData = Static<typeof Notification>;
