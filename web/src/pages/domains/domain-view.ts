import type { Domain } from "../../api/domains.ts";
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

/** Where a status belongs among the filters. */
function filterOf(domain: Domain): Exclude<Filter, "all"> {
  const status = shownStatus(domain);
  return status === "waiting" ? "unknown" : status;
}

/** How many domains each filter would show. */
export function countByFilter(domains: readonly Domain[]): Record<Filter, number> {
  const counts = { all: domains.length, down: 0, degraded: 0, unknown: 0, up: 0, paused: 0 };
  for (const domain of domains) counts[filterOf(domain)] += 1;
  return counts;
}

const urgency: Record<ShownStatus, number> = {
  down: 0,
  degraded: 1,
  unknown: 2,
  waiting: 3,
  up: 4,
  paused: 5,
};

/** What needs a look stands first; within a status, by name as `language` sorts it. */
export function sortByUrgency(domains: readonly Domain[], language: string): Domain[] {
  const { compare } = new Intl.Collator(language, { numeric: true, sensitivity: "base" });
  return domains.toSorted(
    (a, b) => urgency[shownStatus(a)] - urgency[shownStatus(b)] || compare(a.name, b.name) || a.id - b.id,
  );
}

/** The domains that fit the filter and whose name or URL contains every word of the search. */
export function narrow(domains: readonly Domain[], filter: Filter, search: string): Domain[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  return domains.filter((domain) => {
    if (filter !== "all" && filterOf(domain) !== filter) return false;
    const text = `${domain.name} ${domain.url}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
}

/** A URL without what everyone knows: `https://` and a lone slash at the end. */
export function shortUrl(url: string): string {
  return url.replace(/^https:\/\//, "").replace(/^((?:http:\/\/)?[^/?#]+)\/$/, "$1");
}
