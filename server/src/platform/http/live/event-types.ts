import { nameOfEvent } from "../../../alerts/event-rules.ts";
import type { LiveNotification } from "../../../alerts/live-notification.ts";
import type {
  DeploymentEventData,
  IncidentEventData,
  IntegrationEventData,
  LIVE_EVENTS,
  MaintenanceEventData,
  NotificationEventData,
  ResultData,
  StatusEventData,
} from "../../../app/live-schemas.ts";
import type { ProbeResult } from "../../../engine/probe/link.ts";
import { type Status, shownStatus, type Transition } from "../../../engine/status/state.ts";
import type { LiveIncident } from "../../../incidents/live-incident.ts";
import { titleFact } from "../../../incidents/title-rules.ts";
import { inEnglish } from "../../i18n/english.ts";
import { MONITOR_KINDS, type MonitorKind } from "../../monitor-defaults.ts";
import { sentenceOf, timestamp, timestampOrNull } from "../../operations/field.ts";

/** The types of event that clients receive. Each is in LIVE_EVENTS with who may see it and what it carries. */
export type LiveEventType = keyof typeof LIVE_EVENTS;

/** What a type of event about monitors is called for each kind. */
const BY_KIND = {
  status: { domain: "status", service: "service.status", device: "device.status" },
  results: { domain: "results", service: "service.results", device: "device.reported" },
  "monitor.changed": { domain: "monitor.changed", service: "service.changed", device: "device.changed" },
} as const satisfies Partial<Record<LiveEventType, Record<MonitorKind, LiveEventType>>>;

/** The type of an event about monitors of a kind: not everybody may see all. */
export const eventOf = (kind: MonitorKind, type: keyof typeof BY_KIND): LiveEventType => BY_KIND[type][kind];

/** The types of the events that say which monitors changed, whatever their kind. */
export const CHANGE_EVENTS = MONITOR_KINDS.map((kind) => eventOf(kind, "monitor.changed"));

/** The types of the events that say that a monitor's status changed. */
export const STATUS_EVENTS = MONITOR_KINDS.map((kind) => eventOf(kind, "status"));

/** The type of the events that say that maintenance windows changed. */
export const WINDOW_EVENT = "maintenance" satisfies LiveEventType;

/** The type of the events that say that a linked account changed. */
export const INTEGRATION_EVENT = "integration" satisfies LiveEventType;

/** The type of the events that say that deployments, or webhooks that report them, changed. */
export const DEPLOYMENT_EVENT = "deployment" satisfies LiveEventType;

/**
 * What the events of the live stream carry, one function a type of event. They are projected when they are
 * written, once, and every process sends them as they are in the log. `monitorId` is the domain's or
 * service's id; `status` has the specification's three values, `state` all of ours.
 */
export interface LiveMonitor {
  monitorId: number;
  uuid: string;
  kind: MonitorKind;
  name: string;
}

/** Type `results`: every check of one batch that is new. Short: there is one for every check made. */
export const projectResults = (
  results: readonly { monitor: LiveMonitor; state: Status; result: ProbeResult }[],
): { results: ResultData[] } => ({
  results: results.map(({ monitor, state, result }) => ({
    monitorId: monitor.monitorId,
    kind: monitor.kind,
    location: result.location,
    timestamp: timestamp(result.scheduledAt),
    verdict: result.verdict,
    status: shownStatus(state),
    state,
    statusCode: result.statusCode,
    responseTime: result.phases.totalUs === null ? null : result.phases.totalUs / 1000,
    ...(result.reason !== null && { reason: inEnglish(result.reason), reasonFact: result.reason }),
  })),
});

/** Type `status`: a monitor changed. */
export const projectStatusChange = (
  { monitorId, uuid, kind, name }: LiveMonitor,
  change: Transition,
): StatusEventData => ({
  monitorId,
  uuid,
  kind,
  name,
  from: change.from,
  status: shownStatus(change.to),
  state: change.to,
  statusSince: timestamp(change.since),
  detectedAt: timestamp(change.detectedAt),
  reason: sentenceOf(change.reason),
  reasonFact: change.reason,
  location: change.location,
});

/**
 * Type `monitor.changed`: created, changed or deleted, many at once by a bulk action. `monitorId`: the first,
 * for clients that know of one only.
 */
export const projectMonitorChange = (monitorIds: readonly number[]) => ({
  monitorId: monitorIds[0],
  monitorIds,
});

/** Which monitors a `monitor.changed` event is about; an older version wrote one a time. */
export const changedMonitors = (payload: Record<string, unknown>): readonly number[] =>
  (payload as Partial<ReturnType<typeof projectMonitorChange>>).monitorIds ?? [payload.monitorId as number];

/** Type `incident`: opened, or changed. */
export const projectIncidentChange = (incident: LiveIncident): IncidentEventData => {
  const { id, uuid, monitorId, fact, status, severity, resolvedAt } = incident;
  const said = titleFact(incident, { isOver: resolvedAt !== null });
  const title = said ? inEnglish(said) : incident.title;
  return {
    ...{ id, uuid, monitorId, title, fact, status, severity },
    startedAt: timestamp(incident.startedAt),
    resolvedAt: timestampOrNull(resolvedAt),
  };
};

/** Type `maintenance`: a window was planned, changed or deleted, or (null) monitors entered or left one. */
export const projectWindowChange = (windowId: number | null): MaintenanceEventData => ({ windowId });

/** Type `integration`: linked, changed, read or unlinked. */
export const projectIntegrationChange = (integrationId: number): IntegrationEventData => ({ integrationId });

/** Type `deployment`: reported, changed or deleted; null: a webhook. */
export const projectDeploymentChange = (
  deployment: { id: number; monitorIds: readonly number[] } | null,
): DeploymentEventData => ({
  deploymentId: deployment?.id ?? null,
  monitorIds: [...(deployment?.monitorIds ?? [])],
});

/**
 * Type `notification`: people are told something. `message` is English and in UTC; the facts after it are for
 * those who say it otherwise. `outageMs`: how long the outage was that has just ended, null for everything else.
 */
export const projectNotification = (notification: LiveNotification): NotificationEventData => ({
  uuid: notification.uuid,
  monitorId: notification.monitorId,
  incidentId: notification.incidentId,
  event: nameOfEvent(notification.event, notification),
  type: notification.type,
  message: notification.message,
  fact: notification.fact,
  kind: notification.kind,
  monitorName: notification.monitorName,
  since: timestamp(notification.at),
  reason: sentenceOf(notification.reason),
  reasonFact: notification.reason,
  outageMs: notification.outageMs,
  isQuiet: notification.isQuiet,
  togetherFact: notification.togetherFact,
  createdAt: timestamp(notification.createdAt),
});
