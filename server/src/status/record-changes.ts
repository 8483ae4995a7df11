import { settleOutages } from "../incident/settle-outages.ts";
import { recordNotices } from "../notification/record-notices.ts";
import type { Db } from "../store/db.ts";
import type { NewEvent } from "../store/queries/events.ts";
import { ensureLocations } from "../store/queries/location-ids.ts";
import type { WatchedMonitor } from "../store/queries/states.ts";
import { insertTransitions } from "../store/queries/transitions.ts";
import { eventOf, projectIncidentChange, projectNotification, projectStatusChange } from "../wire/live.ts";
import type { ChangedMonitor } from "./changed-monitor.ts";
import type { Transition } from "./state.ts";

/**
 * Writes what follows from changed states, in the transaction that saves them: the status history,
 * incidents, notifications. Returns what the live stream is to hear; the caller appends it last.
 */
export async function recordChanges(
  trx: Db,
  changed: readonly ChangedMonitor[],
  now: number,
): Promise<NewEvent[]> {
  if (changed.every(({ events }) => events.length === 0)) return [];
  const transitions = changed.flatMap(({ monitor, events }) =>
    events
      .filter((event): event is Transition => event.type === "transition")
      .map((transition) => ({ monitor, transition })),
  );
  await writeHistory(trx, transitions, now);
  const incidents = await settleOutages(trx, changed, now);
  const notifications = await recordNotices(trx, changed, incidents, now);
  const organizations = new Map(changed.map(({ monitor }) => [monitor.monitorId, monitor.organizationId]));
  return [
    ...transitions
      .filter(({ transition }) => transition.from !== transition.to)
      .map(({ monitor, transition }) => ({
        organizationId: monitor.organizationId,
        type: eventOf(monitor.kind, "status"),
        payload: projectStatusChange(monitor, transition),
      })),
    ...incidents.map((incident) => ({
      organizationId: organizations.get(incident.monitorId) ?? 0,
      type: "incident" as const,
      payload: projectIncidentChange(incident),
    })),
    ...notifications.map((notification) => ({
      organizationId: notification.organizationId,
      type: "notification" as const,
      payload: projectNotification(notification),
    })),
  ];
}

async function writeHistory(
  trx: Db,
  transitions: readonly { monitor: WatchedMonitor; transition: Transition }[],
  now: number,
): Promise<void> {
  const codes = transitions.flatMap(({ transition }) => transition.location ?? []);
  const locations = codes.length > 0 ? await ensureLocations(trx, codes, now) : null;
  await insertTransitions(
    trx,
    transitions.map(({ monitor, transition }) => ({
      organizationId: monitor.organizationId,
      monitorId: monitor.monitorId,
      fromStatus: transition.from,
      toStatus: transition.to,
      at: transition.at,
      detectedAt: transition.detectedAt,
      reason: transition.reason,
      locationId: transition.location === null ? null : (locations?.get(transition.location) ?? null),
      maintenance: monitor.config.maintenance,
    })),
  );
}
