import type { HealthLevel } from "../monitors/devices/rules.ts";
import type { Code, MessageDescriptor } from "../platform/i18n/message.ts";
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
