import type { Monitor, MonitorStats } from "../api/monitor-list.ts";
import type { ShownStatus } from "../components/StatusDot.tsx";

export const filters = ["all", "down", "degraded", "unknown", "up", "paused", "maintenance"] as const;
export type Filter = (typeof filters)[number];

/**
 * A paused one has no status, one without any check is waiting for it, one whose first checks are under way
 * is about to have one, and a flapping one is not well while it is up.
 */
export function shownStatus({ enabled, state, flapping, lastCheck, checkInterval }: Monitor): ShownStatus {
  if (!enabled || state === "paused") return "paused";
  if (flapping && (state === "up" || state === "degraded")) return "flapping";
  if (state !== "unknown") return state;
  if (lastCheck === null) return "waiting";
  // A result counts for at least two intervals.
  return Date.now() - Date.parse(lastCheck) < 2_000 * checkInterval ? "confirming" : "unknown";
}

/**
 * Milliseconds; null when the check failed, which says nothing of how fast the site is. A degraded monitor's
 * was slow, or failed at some locations only.
 */
export function shownResponseTime({ state, lastReason, responseTime }: Monitor): number | null {
  return lastReason === null || state === "degraded" ? responseTime : null;
}

/** How many monitors each filter shows, out of the API's counts. */
export function countsOf(stats: MonitorStats): Record<Filter, number> {
  const { total, up, down, unknown, degraded, paused, maintenance } = stats;
  return { all: total, down, degraded, unknown: unknown - paused, up: up - degraded, paused, maintenance };
}

/** The parent or the problem that suppresses its notifications; null where there is none. */
export const suppressorOf = ({ state, suppressedBy }: Monitor) => (state === "down" ? suppressedBy : null);

/** A URL without what everyone knows: `https://` and a lone slash at the end. */
export function shortUrl(url: string): string {
  return url.replace(/^https:\/\//, "").replace(/^((?:http:\/\/)?[^/?#]+)\/$/, "$1");
}
