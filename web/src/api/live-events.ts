import type { QueryClient } from "@tanstack/react-query";
import { announce } from "./announce.ts";
import { refreshShownDomains } from "./domain-keys.ts";
import type { Domain } from "./domain-list.ts";
import { listedDomains, patchDomains, refreshDomainsSoon } from "./domains.ts";
import type { NotificationEvent, ResultsEvent, StatusEvent } from "./event-payloads.ts";

/** What each type of event on the live stream does to what has been read. */
export const liveHandlers = {
  status: applyStatus,
  results: applyResults,
  notification: (_client: QueryClient, event: NotificationEvent) => announce(event),
  // Created, changed or deleted, by whomever: the list's items come from the API, not from the event.
  "monitor.changed": applyMonitorChange,
  // Events were missed that cannot be had any more.
  reset: (client: QueryClient) => void client.invalidateQueries(),
};

function applyStatus(client: QueryClient, event: StatusEvent): void {
  if (event.kind !== "domain") return;
  const { monitorId, state, statusSince, reason } = event;
  // Nobody judges it any more, or somebody does again: whether it is paused goes with that.
  const change =
    state === "unknown" && reason === "paused"
      ? { state: "paused" as const, enabled: false, statusSince }
      : { state, statusSince, lastReason: reason, ...(state !== "unknown" && { enabled: true }) };
  patchDomains(client, new Map([[monitorId, change]]));
  // The uptime that goes with it, or the domain itself where the list lacks it.
  refreshDomainsSoon(client);
  refreshShownDomains(client, (id) => id === monitorId);
}

function applyMonitorChange(client: QueryClient): void {
  refreshDomainsSoon(client);
  refreshShownDomains(client, () => true);
}

/** A check that failed has no time to show; the first of a domain brings its certificate and uptime along. */
function applyResults(client: QueryClient, { results }: ResultsEvent): void {
  const changes = new Map<number, Partial<Domain>>();
  for (const { kind, monitorId, timestamp, verdict, responseTime, reason } of results) {
    if (kind !== "domain" || verdict === "probe_fault") continue;
    const passed = verdict === "ok" || verdict === "degraded";
    changes.set(monitorId, {
      ...changes.get(monitorId),
      lastCheck: timestamp,
      lastReason: reason ?? null,
      ...(passed && { responseTime }),
    });
  }
  const first = listedDomains(client).some((domain) => domain.lastCheck === null && changes.has(domain.id));
  patchDomains(client, changes);
  if (first) refreshDomainsSoon(client);
  refreshShownDomains(client, (id) => changes.has(id), "checks");
}
