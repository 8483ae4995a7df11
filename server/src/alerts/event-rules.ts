import type { WatchedMonitor } from "../engine/queries/states.ts";
import type { MonitorNotification, MonitorNotificationEvent } from "../engine/status/state.ts";
import type { HealthLevel } from "../monitors/devices/rules.ts";
import { type Code, type MessageDescriptor, msg } from "../platform/i18n/message.ts";
import type { MonitorKind } from "../platform/monitor-defaults.ts";

/** Events of devices: they do not go down, they are offline or unhealthy. */
export const DEVICE_EVENTS = ["device.offline", "device.online", "device.health"] as const;

export type DeviceEvent = (typeof DEVICE_EVENTS)[number];

/** What is said of how well a device is, and not of whether it is there. */
const HEALTH_BY_CODE = {
  "notification.unhealthy": "warning",
  "notification.critical": "critical",
  "notification.well": "healthy",
  "notification.healthy": "healthy",
} as const satisfies Partial<Record<Code, HealthLevel>>;

/** How well a device is by what is said of it; undefined: that is about something else. */
export const healthIn = (
  message: Pick<MessageDescriptor, "code"> | null | undefined,
): HealthLevel | undefined =>
  new Map<string, HealthLevel>(Object.entries(HEALTH_BY_CODE)).get(message?.code ?? "");

/** What the name of an event depends on: the monitor's kind (null: none), and the message. */
interface Happened {
  kind: MonitorKind | null | undefined;
  descriptor: Pick<MessageDescriptor, "code"> | null;
}

/**
 * The name by which users choose an event and programs receive it. The rules know no devices (ADR 0023): their `monitor.down`
 * is `device.offline` for a device, or `device.health` where the message is about its health.
 */
export function nameOfEvent<Event extends string>(
  event: Event,
  { kind, descriptor }: Happened,
): Event | DeviceEvent {
  if (kind !== "device") return event;
  if (event === "monitor.degraded") return "device.health";
  if (event !== "monitor.down" && event !== "monitor.up") return event;
  if (healthIn(descriptor) !== undefined) return "device.health";
  return event === "monitor.down" ? "device.offline" : "device.online";
}

/** Notifications about the organization itself, and none of its monitors. */
export const ORGANIZATION_EVENTS = ["channel.disabled"] as const;

/** How serious a notification is. */
export const NOTIFICATION_TYPES = ["error", "warning", "success", "info"] as const;
export type NotificationType = (typeof NOTIFICATION_TYPES)[number];

const TYPES: Record<MonitorNotificationEvent, NotificationType> = {
  "monitor.down": "error",
  "monitor.up": "success",
  "monitor.degraded": "warning",
  "monitor.flapping": "warning",
  "monitor.settled": "success",
  "monitor.stopped": "warning",
};

/** The notification's type as the API has it. A monitor can be stable again because it is down for good. */
export const notificationType = ({
  event,
  outageAt,
}: Pick<MonitorNotification, "event" | "outageAt">): NotificationType =>
  event === "monitor.settled" && outageAt === null ? "error" : TYPES[event];

/** The monitor that a notification is about. */
type Subject = Pick<WatchedMonitor, "name" | "kind">;

/** Which monitor, what, since when, why. `outageMs`: how long the outage was that has just ended. */
export function notificationMessage(
  { name, kind }: Subject,
  notification: MonitorNotification,
  outageMs: number | null,
): MessageDescriptor {
  const own = kind === "device" ? deviceMessage(name, notification, outageMs) : null;
  if (own) return own;
  const { event, at, reason, outageAt, flappingSince = at } = notification;
  const since = { name, since: new Date(at).toISOString() };
  const because = reason && { because: reason };
  switch (event) {
    case "monitor.down":
      return { ...msg("notification.down", since), ...because };
    case "monitor.up":
      return outageMs === null
        ? msg("notification.up", since)
        : msg("notification.recovered", { ...since, lasted: outageMs });
    case "monitor.degraded":
      return { ...msg("notification.degraded", since), ...because };
    case "monitor.flapping":
      return { ...msg("notification.flapping", { name }), ...because };
    case "monitor.settled": {
      const unstable = { ...since, unstable: Math.max(0, at - flappingSince) };
      return msg(outageAt === null ? "notification.stable_down" : "notification.stable_up", unstable);
    }
    case "monitor.stopped":
      return { ...msg("notification.stopped", since), ...because };
  }
}

/** The same of a device, which is offline or not well; null: nothing of its own. */
function deviceMessage(
  name: string,
  { event, at, reason, outageAt, health }: MonitorNotification,
  outageMs: number | null,
): MessageDescriptor | null {
  const since = { name, since: new Date(at).toISOString() };
  if (event === "monitor.up") {
    if (outageAt === null) return msg("notification.well", since);
    if (outageMs === null) return msg(health ? "notification.well" : "notification.online", since);
    return msg(health ? "notification.healthy" : "notification.back_online", { ...since, lasted: outageMs });
  }
  // A device reports from a single place.
  const because = reason?.code === "watch.location" ? (reason.because ?? reason) : reason;
  const why = because && { because };
  if (event === "monitor.down")
    return { ...msg(health ? "notification.critical" : "notification.offline", since), ...why };
  if (event !== "monitor.degraded") return null;
  const isCritical = because?.params?.["level"] === "critical";
  return { ...msg(isCritical ? "notification.critical" : "notification.unhealthy", since), ...why };
}
