import { randomUUIDv7 } from "node:crypto";
import type { WatchedMonitor } from "../engine/queries/states.ts";
import type { ChangedMonitor } from "../engine/status/advance-states.ts";
import type { MonitorNotification, MonitorNotificationEvent } from "../engine/status/state.ts";
import type { OutageIncident, Together } from "../incidents/live-incident.ts";
import type { Db } from "../platform/database/schema.ts";
import { inEnglish } from "../platform/i18n/english.ts";
import { type MessageDescriptor, msg } from "../platform/i18n/message.ts";
import type { MonitorKind } from "../platform/monitor-defaults.ts";
import { notificationMessage, notificationType } from "./event-rules.ts";
import { insertNotifications, type NewNotification } from "./queries/notifications.ts";

/** A notification in words and as a message, from which it can be translated. */
export interface RecordedNotification
  extends Omit<NewNotification, "event" | "monitorId">,
    Pick<MonitorNotification, "event" | "at" | "reason"> {
  monitorId: number;
  kind: MonitorKind;
  monitorName: string;
  /** Of the outage that has just ended, for `monitor.up`. */
  outageMs: number | null;
  /**
   * The message for channels, which filter by it. The app shows `descriptor`, which continues what was said before, whether it was
   * sent or not.
   */
  channelMessage: MessageDescriptor;
  /**
   * For one that is stable again, to channels that were not notified of the flapping: that its outage is over. For a device that
   * is up again, to channels that were notified of its health: that it is healthy.
   */
  otherwise: MessageDescriptor | null;
  /** Another one speaks for it. */
  isQuiet: boolean;
}

/**
 * Stores notifications, once per cause: the key names the incident, or else the monitor and the time. Channels deliver from
 * these rows. `incidents`: those of the same changes.
 */
export async function recordNotifications(
  trx: Db,
  changed: readonly ChangedMonitor[],
  incidents: readonly OutageIncident[],
  now: number,
): Promise<RecordedNotification[]> {
  const byOutage = new Map(
    incidents.map((one) => [keyOf(one.monitorId, one.outageAt, one.outageMs !== null), one]),
  );
  const notifications = changed.flatMap(({ monitor, events }) =>
    events.flatMap((event): RecordedNotification[] => {
      if (event.type !== "notification") return [];
      const incident =
        event.outageAt === null
          ? undefined
          : byOutage.get(keyOf(monitor.monitorId, event.outageAt, isEnd(event)));
      const notification = notificationOf(monitor, event, incident, now);
      return [
        notification.incidentId === null
          ? { ...notification, incidentId: goingOn(monitor, event, incidents) }
          : notification,
      ];
    }),
  );
  await insertNotifications(trx, notifications);
  return notifications;
}

/** The incident of a device that has gone offline in it: one that it began with its health. */
const goingOn = (
  { monitorId }: WatchedMonitor,
  { event, outageAt }: MonitorNotification,
  incidents: readonly OutageIncident[],
): number | null =>
  event === "monitor.down" && outageAt === null
    ? (incidents.find((one) => one.monitorId === monitorId && one.outageMs === null)?.id ?? null)
    : null;

const keyOf = (monitorId: number, outageAt: number, isOver: boolean) => `${monitorId} ${outageAt} ${isOver}`;

/** Of an outage. */
const isEnd = ({ event, outageAt }: MonitorNotification): boolean =>
  event === "monitor.up" || (event === "monitor.settled" && outageAt !== null);

function notificationOf(
  monitor: WatchedMonitor,
  notification: MonitorNotification,
  incident: OutageIncident | undefined,
  now: number,
): RecordedNotification {
  const { event, at, reason } = notification;
  const { monitorId, organizationId, kind, name: monitorName } = monitor;
  const { outageMs = null, together = null } = incident ?? {};
  const channelMessage = notificationMessage(monitor, notification, outageMs);
  const said = notification.recoveryNotified
    ? notificationMessage(monitor, { ...notification, health: true }, outageMs)
    : channelMessage;
  const type = notificationType(notification);
  const hasRecovered = event === "monitor.settled" && isEnd(notification);
  const isHealthy = event === "monitor.up" && kind === "device" && incident !== undefined;
  const up = { ...notification, event: "monitor.up" as const, ...(isHealthy && { health: true as const }) };
  const otherwise = hasRecovered || isHealthy ? notificationMessage(monitor, up, outageMs) : null;
  const shown = sharedMessage({ monitorId, event, message: said }, together, at);
  return {
    uuid: randomUUIDv7(),
    organizationId,
    monitorId,
    kind,
    monitorName,
    incidentId: incident?.id ?? null,
    event,
    at,
    reason,
    outageMs,
    channelMessage,
    otherwise,
    isQuiet: shown === null,
    togetherMessage: shown === said ? null : shown,
    type,
    descriptor: said,
    message: inEnglish(said),
    outageStartedAt: notification.outageAt,
    idempotencyKey: `${event}:${incident ? `${incident.uuid}:` : ""}${monitor.uuid}:${incident?.outageAt ?? `${at}:${now}`}`,
    createdAt: now,
  };
}

/** The text of a notification, and its monitor. */
export interface Said {
  monitorId: number;
  event: MonitorNotificationEvent;
  message: MessageDescriptor;
}

/**
 * What the app says of a notification; null: another one speaks for it. Monitors that share an incident are notified together:
 * when the first goes down, when a more severe one or their cause joins, whether or not these were sent, and when all are up.
 * `at`: when it happened, milliseconds.
 */
export function sharedMessage(said: Said, together: Together | null, at: number): MessageDescriptor | null {
  if (!together) return said.message;
  const { leadId, leadName: name, others, part } = together;
  if (part.is === "lead" || part.is === "escalation")
    return messageAmong(said.message, others + 1, part.is === "lead" ? part.after.name : part.than);
  const isLast = part.is === "all-up";
  // Flapping was notified by itself, so that it is stable again is, too.
  if (said.event === "monitor.settled" && !(isLast && said.monitorId === leadId)) return said.message;
  return isLast
    ? msg("notification.recovered_together", { name, others, since: new Date(at).toISOString() })
    : null;
}

/** That a monitor is down, and that others are. */
function messageAmong(
  { params = {}, because }: MessageDescriptor,
  count: number,
  lead: string,
): MessageDescriptor {
  const { name = "", since = "" } = params;
  return { ...msg("notification.down_among", { name, since, count, lead }), ...(because && { because }) };
}
