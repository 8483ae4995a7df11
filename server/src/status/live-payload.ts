import type { ProbeResult } from "../probe/link.ts";
import type { NewNotification } from "../store/queries/notifications.ts";
import type { Transition } from "./state.ts";

/**
 * What the rows of the live stream's log carry, one function a type of event. `monitorId` is the domain's or
 * service's id; `status` has the specification's three values, `state` all of ours.
 */
export interface LiveMonitor {
  monitorId: number;
  uuid: string;
  kind: "domain" | "service";
  name: string;
}

const timestamp = (ms: number): string => new Date(ms).toISOString();

/** `up`, `down`, `unknown`: degraded works, so it reads `up` (decisions §6). */
const shownStatus = (state: string): string => (state === "degraded" ? "up" : state);

/** Type `results`: every check of one batch that is news. Short: there is one for every check made. */
export const projectResults = (
  results: readonly { monitor: LiveMonitor; state: string; result: ProbeResult }[],
) => ({
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
    ...(result.reason !== null && { reason: result.reason }),
  })),
});

/** Type `status`: a monitor changed. */
export const projectStatusChange = ({ monitorId, uuid, kind, name }: LiveMonitor, change: Transition) => ({
  ...{ monitorId, uuid, kind, name },
  from: change.from,
  status: shownStatus(change.to),
  state: change.to,
  statusSince: timestamp(change.at),
  detectedAt: timestamp(change.detectedAt),
  reason: change.reason,
  location: change.location,
});

/** What an `incident` event needs to know; times in milliseconds. */
export interface LiveIncident {
  id: number;
  uuid: string;
  monitorId: number;
  title: string;
  status: string;
  severity: string;
  startedAt: number;
  resolvedAt: number | null;
}

/** Type `incident`: opened, or changed. */
export const projectIncidentChange = (incident: LiveIncident) => ({
  ...incident,
  startedAt: timestamp(incident.startedAt),
  resolvedAt: incident.resolvedAt === null ? null : timestamp(incident.resolvedAt),
});

/** Type `notification`: people are told something. */
export const projectNotification = (notification: NewNotification) => ({
  uuid: notification.uuid,
  monitorId: notification.monitorId,
  incidentId: notification.incidentId,
  event: notification.event,
  type: notification.type,
  message: notification.message,
  createdAt: timestamp(notification.createdAt),
});
