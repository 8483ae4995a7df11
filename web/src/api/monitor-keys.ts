import type { QueryClient, QueryKey } from "@tanstack/react-query";
import type { KindId } from "../kinds.ts";
import { readAgainSoon } from "./read-again.ts";

/** Cache keys of a kind's list: everything whose numbers or order change with any monitor's status. */
export const listKeys = {
  every: (kind: KindId) => ["monitors", kind],
  pages: (kind: KindId) => ["monitors", kind, "pages"],
  stats: (kind: KindId) => ["monitors", kind, "stats"],
  sparklines: (kind: KindId) => ["monitors", kind, "sparklines"],
} as const;

/**
 * Cache keys of a monitor's page. `checks` changes with every check, the rest with the status or slowly: live
 * events refresh by these.
 */
export const monitorKeys = {
  every: (kind: KindId) => ["monitor", kind],
  all: (kind: KindId, id: number) => ["monitor", kind, id],
  detail: (kind: KindId, id: number) => ["monitor", kind, id, "checks", "detail"],
  results: (kind: KindId, id: number) => ["monitor", kind, id, "checks", "results"],
  members: (kind: KindId, id: number) => ["monitor", kind, id, "checks", "members"],
  locations: (kind: KindId, id: number) => ["monitor", kind, id, "checks", "locations"],
  summary: (kind: KindId, id: number) => ["monitor", kind, id, "stats", "summary"],
  objective: (kind: KindId, id: number) => ["monitor", kind, id, "stats", "objective"],
  days: (kind: KindId, id: number) => ["monitor", kind, id, "stats", "days"],
  statusHistory: (kind: KindId, id: number) => ["monitor", kind, id, "stats", "status-history"],
  responseTimes: (kind: KindId, id: number, range: string, percentiles: boolean) => [
    "monitor",
    kind,
    id,
    "response-times",
    range,
    percentiles,
  ],
  isDetail: (key: QueryKey) => key[4] === "detail",
} as const;

/** Reads the monitor whose page is open again in a moment, if `isMeant`. `part`: only what changes with every check. */
export function refreshShownMonitors(
  client: QueryClient,
  kind: KindId,
  isMeant: (id: number) => boolean,
  part?: "checks",
): void {
  // One that is read ahead, for a page that is on its way, passes for fresh when it comes.
  const known = client.getQueryCache().findAll({ queryKey: monitorKeys.every(kind) });
  const ids = known.map(({ queryKey }) => queryKey[2] as number).filter(isMeant);
  readAgainSoon(client, ...ids.map((id) => [...monitorKeys.all(kind, id), ...(part ? [part] : [])]));
}
