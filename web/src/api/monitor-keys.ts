import type { QueryClient, QueryKey } from "@tanstack/react-query";
import type { KindId } from "../kinds/kinds.ts";

/** Names of what is read of a kind's list: everything whose figures or order change with any monitor's status. */
export const listKeys = {
  every: (kind: KindId) => ["monitors", kind],
  pages: (kind: KindId) => ["monitors", kind, "pages"],
  stats: (kind: KindId) => ["monitors", kind, "stats"],
} as const;

/**
 * Names of what the page of one monitor reads. `checks` changes with every check, the rest with the status
 * or slowly: by these names live events say what to read again.
 */
export const monitorKeys = {
  every: (kind: KindId) => ["monitor", kind],
  all: (kind: KindId, id: number) => ["monitor", kind, id],
  detail: (kind: KindId, id: number) => ["monitor", kind, id, "settings", "detail"],
  results: (kind: KindId, id: number) => ["monitor", kind, id, "checks", "results"],
  locations: (kind: KindId, id: number) => ["monitor", kind, id, "checks", "locations"],
  summary: (kind: KindId, id: number) => ["monitor", kind, id, "figures", "summary"],
  days: (kind: KindId, id: number) => ["monitor", kind, id, "figures", "days"],
  responseTimes: (kind: KindId, id: number, range: string) => ["monitor", kind, id, "response-times", range],
  isDetail: (key: QueryKey) => key[4] === "detail",
} as const;

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
  for (const query of client.getQueryCache().findAll({ queryKey, type: "active" })) {
    const id = query.queryKey[2] as number;
    if (!isMeant(id)) continue;
    const whole = part === undefined || waiting.get(id)?.length === allOfOne;
    waiting.set(id, whole ? monitorKeys.all(kind, id) : [...monitorKeys.all(kind, id), part]);
  }
  if (waiting.size === 0) return;
  timer ??= setTimeout(() => {
    timer = undefined;
    for (const key of waiting.values()) void client.invalidateQueries({ queryKey: key });
    waiting.clear();
  }, refreshPauseMs);
}
