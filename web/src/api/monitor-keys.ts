import type { QueryClient, QueryKey, QueryState } from "@tanstack/react-query";
import type { KindId } from "../kinds/kinds.ts";

/** Names of what is read of a kind's list: everything whose figures or order change with any monitor's status. */
export const listKeys = {
  every: (kind: KindId) => ["monitors", kind],
  pages: (kind: KindId) => ["monitors", kind, "pages"],
  stats: (kind: KindId) => ["monitors", kind, "stats"],
  sparklines: (kind: KindId) => ["monitors", kind, "sparklines"],
} as const;

/**
 * Names of what the page of one monitor reads. `checks` changes with every check, the rest with the status
 * or slowly: by these names live events say what to read again.
 */
export const monitorKeys = {
  every: (kind: KindId) => ["monitor", kind],
  all: (kind: KindId, id: number) => ["monitor", kind, id],
  detail: (kind: KindId, id: number) => ["monitor", kind, id, "checks", "detail"],
  results: (kind: KindId, id: number) => ["monitor", kind, id, "checks", "results"],
  members: (kind: KindId, id: number) => ["monitor", kind, id, "checks", "members"],
  locations: (kind: KindId, id: number) => ["monitor", kind, id, "checks", "locations"],
  summary: (kind: KindId, id: number) => ["monitor", kind, id, "figures", "summary"],
  days: (kind: KindId, id: number) => ["monitor", kind, id, "figures", "days"],
  statusHistory: (kind: KindId, id: number) => ["monitor", kind, id, "figures", "status-history"],
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

/** Reads anew what is in sight of it, and marks the rest. A first reading that began before is followed by another. */
export function readAgain(client: QueryClient, queryKey: QueryKey): void {
  const isFirst = ({ state }: { state: QueryState }) =>
    state.fetchStatus === "fetching" && state.data === undefined;
  for (const query of client.getQueryCache().findAll({ queryKey, predicate: isFirst })) {
    const again = () => client.invalidateQueries({ queryKey: query.queryKey, exact: true });
    // What could not be read is not known from before either.
    query.promise?.then(again, () => {});
  }
  void client.invalidateQueries({ queryKey });
}

const allOfOne = monitorKeys.all("domain", 0).length;
const refreshPauseMs = 1_000;
const waiting = new Map<number, QueryKey>();
let timer: ReturnType<typeof setTimeout> | undefined;

/**
 * Reads the monitor whose page is open again in a moment, if `isMeant`; any number of calls until then make
 * one round. `part`: only what changes with every check.
 */
export function refreshShownMonitors(
  client: QueryClient,
  kind: KindId,
  isMeant: (id: number) => boolean,
  part?: "checks",
): void {
  const queryKey = monitorKeys.every(kind);
  // One that is read ahead, for a page that is on its way, passes for fresh when it comes.
  for (const query of client.getQueryCache().findAll({ queryKey })) {
    const id = query.queryKey[2] as number;
    if (!isMeant(id)) continue;
    const whole = part === undefined || waiting.get(id)?.length === allOfOne;
    waiting.set(id, whole ? monitorKeys.all(kind, id) : [...monitorKeys.all(kind, id), part]);
  }
  if (waiting.size === 0) return;
  timer ??= setTimeout(() => {
    timer = undefined;
    for (const key of waiting.values()) readAgain(client, key);
    waiting.clear();
  }, refreshPauseMs);
}
