import { type TSchema, Type } from "typebox";
import { NotificationEvent } from "../../alerts/schemas/live.ts";
import { CheckResult, StatusChange } from "../../engine/schemas/live.ts";
import { IncidentChange } from "../../incidents/schemas/live.ts";
import type { Feature } from "../../platform/access/plans.ts";
import { type Resource } from "../../platform/access/roles-and-scopes.ts";
import {
  DeploymentChange,
  IntegrationChange,
  type LiveEventType,
  MaintenanceChange,
  MonitorChange,
} from "../../platform/live-events.ts";
import { MONITOR_KIND_TRAITS } from "../../platform/monitor-kinds.ts";
import { oneOf } from "../../platform/operations/field.ts";
import { snakeSchema } from "../../platform/operations/snake-case.ts";

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
    data: NotificationEvent,
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
} satisfies Record<LiveEventType, LiveEventKind>;

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
