import type { WatchedMonitor } from "../engine/queries/states.ts";
import type { MonitorNotification, MonitorNotificationEvent } from "../engine/status/state.ts";
import { type MessageDescriptor, msg } from "../platform/i18n/message.ts";

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

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const RETRIES_MS = [5 * SECOND_MS, 30 * SECOND_MS, 2 * MINUTE_MS, 8 * MINUTE_MS, 30 * MINUTE_MS] as const;
/** The longest: no outage is notified hours after its receiver is reachable again. */
export const LAST_RETRY_MS = 30 * MINUTE_MS;
/** A channel that was disabled by what the other side answered is tried once a day. */
export const DISABLED_RETRY_MS = 24 * HOUR_MS;

/** An attempt that takes longer is given up. */
export const ATTEMPT_MS = MINUTE_MS;
/** From then on another replica may begin the next attempt: this one has died. */
export const LEASE_MS = 2 * ATTEMPT_MS;
/** No service gets a longer pause. */
export const MAX_PAUSE_MS = 6 * HOUR_MS;

/** How long something for a channel is worth sending. */
export const CHANNEL_WORTH_MS = 24 * HOUR_MS;

/**
 * How long after the n-th failed attempt the next one begins, milliseconds: longer each time, and up to a quarter
 * sooner, so that what failed together is not tried together. `random`: from 0 to 1.
 */
export const retryDelayMs = (attempts: number, random: number): number =>
  (RETRIES_MS[attempts - 1] ?? LAST_RETRY_MS) * (0.75 + random / 4);
