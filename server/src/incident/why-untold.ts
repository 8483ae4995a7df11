import { type ChannelEvent, wants } from "../notification/channel/filter.ts";
import type { Channel } from "../store/queries/channels.ts";
import type { Monitor } from "../store/queries/monitors.ts";

/** Why a channel was told nothing of an incident. `unknown`: its settings, and the monitors' as they are, do not say. */
export type UntoldReason = "off" | "unconfirmed" | "later" | "filtered" | "unknown";

/** When an outage was found, milliseconds, and what is down; null: that is gone. */
export interface FoundOutage {
  at: number;
  monitor: Pick<Monitor, "kind" | "severity" | "tags" | "updatedAt"> | null;
}

type Settings =
  | "enabled"
  | "confirmedAt"
  | "createdAt"
  | "updatedAt"
  | "events"
  | "severities"
  | "tags"
  | "hours";

/**
 * Why a channel heard of none of these outages: what its settings say, where they were the same then. `turnedOffAt`: since
 * when it is off, milliseconds; null: it is on, or that was not kept.
 */
export function whyUntold(
  channel: Pick<Channel, Settings> & { turnedOffAt: number | null },
  outages: readonly FoundOutage[],
): UntoldReason {
  const { enabled, confirmedAt, createdAt, updatedAt, turnedOffAt } = channel;
  const missed = outages.filter(({ at }) => at >= createdAt);
  const [first, last] = [Math.min(...missed.map(({ at }) => at)), Math.max(...missed.map(({ at }) => at))];
  if (missed.length === 0) return "later";
  if (!enabled && (turnedOffAt ?? updatedAt) <= first) return "off";
  if (confirmedAt === null || confirmedAt > last) return "unconfirmed";
  return updatedAt <= first && missed.every((outage) => isLeftOut(channel, outage)) ? "filtered" : "unknown";
}

/** Whether its filter leaves out that outage, whatever of the monitor has changed since. */
function isLeftOut(channel: Pick<Channel, Settings>, { at, monitor }: FoundOutage): boolean {
  const isAsItWas = monitor !== null && monitor.updatedAt <= at;
  const filter = isAsItWas ? channel : { ...channel, severities: [], tags: [] };
  // Of a device it may be that it was offline, or that it was not well.
  const events: readonly ChannelEvent[] =
    monitor?.kind === "device" ? ["device.offline", "device.health"] : ["monitor.down"];
  const { severity, tags } = monitor ?? { severity: "high" as const, tags: [] };
  return !events.some((event) => wants(filter, { event, severity, tags }, false));
}
