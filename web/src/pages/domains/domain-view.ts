import type { Domain, DomainStats } from "../../api/domain-list.ts";
import type { ShownStatus } from "../../components/StatusDot.tsx";

/** What the list can be narrowed to. */
export const filters = ["all", "down", "degraded", "unknown", "up", "paused"] as const;
export type Filter = (typeof filters)[number];

/** One word for a domain: a paused one is not judged, one without any check yet is waiting for it. */
export function shownStatus(domain: Domain): ShownStatus {
  if (!domain.enabled || domain.state === "paused") return "paused";
  if (domain.state === "unknown" && domain.lastCheck === null) return "waiting";
  return domain.state;
}

/**
 * How long the last check took, in milliseconds; null when it failed, which says nothing of how fast the site is.
 * A degraded domain's was slow, or failed at some of its locations only.
 */
export function shownResponseTime({ state, lastReason, responseTime }: Domain): number | null {
  return lastReason === null || state === "degraded" ? responseTime : null;
}

/** How many domains each filter shows, out of the API's counts. */
export function countsOf(stats: DomainStats): Record<Filter, number> {
  const { total, up, down, unknown, degraded, paused } = stats;
  return { all: total, down, degraded, unknown: unknown - paused, up: up - degraded, paused };
}

/** A URL without what everyone knows: `https://` and a lone slash at the end. */
export function shortUrl(url: string): string {
  return url.replace(/^https:\/\//, "").replace(/^((?:http:\/\/)?[^/?#]+)\/$/, "$1");
}
