import type { MonitorKind } from "../monitor/monitor-defaults.ts";
import type { Fact } from "../texts/fact.ts";

/** What is told of devices: they do not go down, they are offline, or not well (decisions §7). */
export const DEVICE_EVENTS = ["device.offline", "device.online", "device.health"] as const;
export type DeviceEvent = (typeof DEVICE_EVENTS)[number];

/** Facts that are about how well a device is, and not whether it is there. */
const OF_HEALTH: ReadonlySet<string> = new Set([
  "notice.unhealthy",
  "notice.critical",
  "notice.well",
  "notice.healthy",
]);

/** What tells an event's name: whose it is (null: nobody's), and what is said. */
interface Happened {
  kind: MonitorKind | null | undefined;
  fact: Pick<Fact, "code"> | null;
}

/**
 * The name by which people choose an event and programs are told it. The rules know one engine and no devices (ADR 0060), so
 * what they call `monitor.down` is `device.offline` of a device, or `device.health` where its health is what is told.
 */
export function nameOfEvent<Event extends string>(
  event: Event,
  { kind, fact }: Happened,
): Event | DeviceEvent {
  if (kind !== "device") return event;
  if (event === "monitor.degraded") return "device.health";
  if (event !== "monitor.down" && event !== "monitor.up") return event;
  if (OF_HEALTH.has(fact?.code ?? "")) return "device.health";
  return event === "monitor.down" ? "device.offline" : "device.online";
}
