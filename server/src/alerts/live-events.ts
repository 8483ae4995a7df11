import type { Recheck } from "../engine/probe/directory.ts";
import type { ProbeResult } from "../engine/probe/link.ts";
import type { StoredBatch } from "../engine/results/store-results.ts";
import { projectResults, projectStatusChange } from "../engine/schemas/live.ts";
import type { ChangedMonitor } from "../engine/status/advance-states.ts";
import { SUPPRESSION_CODES } from "../engine/status/held-by-parents.ts";
import type { MonitorTransition } from "../engine/status/record-transitions.ts";
import type { OutageIncident } from "../incidents/live-incident.ts";
import { projectIncidentChange } from "../incidents/schemas/live.ts";
import {
  CHECKED_EVENT,
  INTERNAL_ORGANIZATION,
  type NewEvent,
  RECHECK_EVENT,
} from "../platform/database/events.ts";
import { eventOf, projectMonitorChange, projectWindowChange } from "../platform/live-events.ts";
import type { MonitorKind } from "../platform/monitor-defaults.ts";
import { type LiveNotification, projectNotification } from "./schemas/live.ts";

/** One event per organization and kind: a browser with a thousand monitors receives one for a batch. */
export function resultEvents(changes: readonly ChangedMonitor[], { newResults }: StoredBatch): NewEvent[] {
  const byAudience = Map.groupBy(
    changes,
    ({ monitor: { organizationId, kind } }) => `${organizationId} ${kind}`,
  );
  return [...byAudience.values()].flatMap((own) => {
    const { organizationId, kind } = (own[0] as ChangedMonitor).monitor;
    const results = own.flatMap(({ monitor }) =>
      (newResults.get(monitor.monitorId) ?? [])
        .filter((result) => !isMissedReport(kind, result))
        .map((result) => ({ monitor, state: monitor.state.status, result })),
    );
    if (results.length === 0) return [];
    return [{ organizationId, type: eventOf(kind, "results"), payload: projectResults(results) }];
  });
}

/** The server's own result that a device was silent: not data of the device, whose status says so. */
const isMissedReport = (kind: MonitorKind, { verdict }: ProbeResult): boolean =>
  kind === "device" && verdict === "failed";

/** A change of status; the edges of maintenance windows are for the history alone. */
export const statusEvents = (transitions: readonly MonitorTransition[]): NewEvent[] =>
  transitions
    .filter(({ transition }) => transition.from !== transition.to)
    .map(({ monitor, transition }) => ({
      organizationId: monitor.organizationId,
      type: eventOf(monitor.kind, "status"),
      payload: projectStatusChange(monitor, transition),
    }));

/** Monitors whose notifications stop or resume: they are shown differently, whatever their status. */
export function suppressionEvents(transitions: readonly MonitorTransition[]): NewEvent[] {
  const crossed = transitions.filter(({ transition }) =>
    SUPPRESSION_CODES.has(transition.reason?.code ?? ""),
  );
  const alike = Map.groupBy(crossed, ({ monitor }) => `${monitor.organizationId} ${monitor.kind}`);
  return [...alike.values()].map((own) => {
    const { organizationId, kind } = (own[0] as MonitorTransition).monitor;
    const payload = projectMonitorChange(own.map(({ monitor }) => monitor.monitorId));
    return { organizationId, type: eventOf(kind, "monitor.changed"), payload };
  });
}

/** An incident that was opened or resolved. `changed`: the monitors, which know the organizations. */
export function incidentEvents(
  incidents: readonly OutageIncident[],
  changed: readonly ChangedMonitor[],
): NewEvent[] {
  const organizations = new Map(changed.map(({ monitor }) => [monitor.monitorId, monitor.organizationId]));
  // Many monitors may share one: what is said of it last holds.
  const latest = new Map(incidents.map((incident) => [incident.id, incident]));
  return [...latest.values()].map((incident) => ({
    organizationId: organizations.get(incident.monitorId) ?? 0,
    type: "incident",
    payload: projectIncidentChange(incident),
  }));
}

/** Monitors entered or left a maintenance window: one event an organization. */
export const windowEvents = (monitors: readonly { organizationId: number }[]): NewEvent[] =>
  [...new Set(monitors.map(({ organizationId }) => organizationId))].map((organizationId) => ({
    organizationId,
    type: "maintenance",
    payload: projectWindowChange(null),
  }));

/** Notifications for open apps. */
export const notificationEvents = (notifications: readonly LiveNotification[]): NewEvent[] =>
  notifications.map((notification) => ({
    organizationId: notification.organizationId,
    type: "notification",
    payload: projectNotification(notification),
  }));

/** For the replicas, whose probes hold these monitors. */
export const recheckEvents = (rechecks: readonly Recheck[]): NewEvent[] =>
  rechecks.map((recheck) => ({
    organizationId: INTERNAL_ORGANIZATION,
    type: RECHECK_EVENT,
    payload: recheck,
  }));

/** For replicas with a client that waits for these results. */
export const checkedEvents = (results: readonly ProbeResult[]): NewEvent[] =>
  results.map(({ certificate: _, ...result }) => ({
    organizationId: INTERNAL_ORGANIZATION,
    type: CHECKED_EVENT,
    payload: result,
  }));
