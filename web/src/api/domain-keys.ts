import type { QueryClient, QueryKey } from "@tanstack/react-query";

/**
 * Names of what the page of one domain reads. `checks` changes with every check, the rest with the status
 * or slowly: by these names live events say what to read again.
 */
export const domainKeys = {
  every: ["domain"],
  all: (id: number) => ["domain", id],
  detail: (id: number) => ["domain", id, "settings", "detail"],
  results: (id: number) => ["domain", id, "checks", "results"],
  locations: (id: number) => ["domain", id, "checks", "locations"],
  summary: (id: number) => ["domain", id, "figures", "summary"],
  days: (id: number) => ["domain", id, "figures", "days"],
  responseTimes: (id: number, range: string) => ["domain", id, "response-times", range],
  isDetail: (key: QueryKey) => key[3] === "detail",
} as const;

const refreshPauseMs = 1_000;
const waiting = new Map<number, QueryKey>();
let timer: ReturnType<typeof setTimeout> | undefined;

/**
 * Reads the domain whose page is open again in a moment, if `isMeant`; any number of calls until then make
 * one round. `part`: only what changes with every check.
 */
export function refreshShownDomains(
  client: QueryClient,
  isMeant: (id: number) => boolean,
  part?: "checks",
): void {
  for (const { queryKey } of client.getQueryCache().findAll({ queryKey: domainKeys.every, type: "active" })) {
    const id = queryKey[1] as number;
    if (!isMeant(id)) continue;
    const whole = part === undefined || waiting.get(id)?.length === 2;
    waiting.set(id, whole ? domainKeys.all(id) : [...domainKeys.all(id), part]);
  }
  if (waiting.size === 0) return;
  timer ??= setTimeout(() => {
    timer = undefined;
    for (const queryKey of waiting.values()) void client.invalidateQueries({ queryKey });
    waiting.clear();
  }, refreshPauseMs);
}
