import type { HealthLevel } from "../device/rules.ts";
import type { MonitorKind } from "../monitor/monitor-defaults.ts";
import type { Code, MessageDescriptor } from "../texts/message.ts";

/** What is told of devices: they do not go down, they are offline, or not well (decisions §7). */
export const DEVICE_EVENTS = ["device.offline", "device.online", "device.health"] as const;
export type DeviceEvent = (typeof DEVICE_EVENTS)[number];

/** What is said of how well a device is, and not of whether it is there. */
const HEALTH_BY_CODE = {
  "notice.unhealthy": "warning",
  "notice.critical": "critical",
  "notice.well": "healthy",
  "notice.healthy": "healthy",
} as const satisfies Partial<Record<Code, HealthLevel>>;

/** How well a device is by what is said of it; undefined: that is about something else. */
export const healthIn = (
  message: Pick<MessageDescriptor, "code"> | null | undefined,
): HealthLevel | undefined =>
  new Map<string, HealthLevel>(Object.entries(HEALTH_BY_CODE)).get(message?.code ?? "");

/** What tells an event's name: whose it is (null: nobody's), and what is said. */
interface Happened {
  kind: MonitorKind | null | undefined;
  fact: Pick<MessageDescriptor, "code"> | null;
}

/**
 * The name by which people choose an event and programs are told it. The rules know one engine and no devices (ADR 0023), so
 * what they call `monitor.down` is `device.offline` of a device, or `device.health` where its health is what is told.
 */
export function nameOfEvent<Event extends string>(
  event: Event,
  { kind, fact }: Happened,
): Event | DeviceEvent {
  if (kind !== "device") return event;
  if (event === "monitor.degraded") return "device.health";
  if (event !== "monitor.down" && event !== "monitor.up") return event;
  if (healthIn(fact) !== undefined) return "device.health";
  return event === "monitor.down" ? "device.offline" : "device.online";
}
