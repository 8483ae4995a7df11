import { type QueryClient, type QueryState, useMutation, useQueryClient } from "@tanstack/react-query";
import type { KindId, MonitorKind } from "../kinds.ts";
import { showToast } from "../toasts.ts";
import { ApiError, call } from "./client.ts";
import { dashboardStatsQuery } from "./dashboard-stats.ts";
import { withoutHold } from "./held-order.ts";
import { listKeys, monitorKeys } from "./monitor-keys.ts";
import type { Monitor, MonitorPage } from "./monitor-list.ts";
import { readingRounds } from "./read-again.ts";

/** Changes of thousands of monitors arrive as fast as they are checked, faster than anyone can read. */
const readListsAgainSoon = readingRounds(3_000);

/** Reads what is in sight of the kind's list anew in a moment; any number of calls until then make one round. */
export const refreshListSoon = (client: QueryClient, kind: KindId): void =>
  readListsAgainSoon(client, listKeys.every(kind), dashboardStatsQuery.queryKey);

/** What has been read of the kind's list and is still known, in no particular order; a monitor may come twice. */
export function listedMonitors(client: QueryClient, kind: KindId): Monitor[] {
  const pages = client.getQueriesData<MonitorPage>({ queryKey: listKeys.pages(kind) });
  return pages.flatMap(([, page]) => page?.monitors ?? []);
}

/** Whether the change is from before what is known: an event that comes late. */
const isOlder = (change: Partial<Monitor>, known: Monitor): boolean =>
  (["lastCheck", "statusSince"] as const).some((at) => change[at] && (change[at] ?? "") < (known[at] ?? ""));

/** By number, in the cached list and on their own pages; unknown ones are left out, and newer data stays. */
export function patchMonitors(
  client: QueryClient,
  kind: KindId,
  changes: ReadonlyMap<number, Partial<Monitor>>,
): void {
  const patch = (monitor: Monitor) => {
    const change = changes.get(monitor.id);
    return change && !isOlder(change, monitor) ? { ...monitor, ...change } : monitor;
  };
  // A change makes data pass for fresh; what was to be read again, or could not be, still is.
  const isOutdated = ({ state }: { state: QueryState }) => state.isInvalidated || state.error !== null;
  const outdated = [listKeys.pages(kind), monitorKeys.every(kind)]
    .flatMap((queryKey) => client.getQueryCache().findAll({ queryKey, predicate: isOutdated }))
    .map((query) => ({ query, was: query.state }));
  client.setQueriesData<MonitorPage>({ queryKey: listKeys.pages(kind) }, (page) => {
    const isHere = page?.monitors.some((monitor) => changes.has(monitor.id)) ?? false;
    return page && isHere ? { ...page, monitors: page.monitors.map(patch) } : page;
  });
  client.setQueriesData<Monitor>(
    { queryKey: monitorKeys.every(kind), predicate: ({ queryKey }) => monitorKeys.isDetail(queryKey) },
    (detail) => detail && patch(detail),
  );
  for (const { query, was } of outdated) {
    const { status, error, dataUpdatedAt } = was;
    query.setState({ status, error, dataUpdatedAt, isInvalidated: true });
  }
}

/** Creates a monitor; the list is read again before the promise resolves, so that it is in it. */
export function useAddMonitor(kind: MonitorKind) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: object) => call<{ id: number; name: string }>("POST", kind.api, { body }),
    onSuccess: () => client.invalidateQueries({ queryKey: listKeys.every(kind.id) }),
  });
}

/** Pauses or resumes: shown at once, and reverted with a message when the API refuses or cannot be reached. */
export function useSetEnabled(kind: MonitorKind) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id, enabled }: { id: number; enabled: boolean }) =>
      call("PUT", `${kind.api}/${id}`, { body: { enabled } }),
    onMutate: async ({ id, enabled }) => {
      await Promise.all([
        client.cancelQueries({ queryKey: listKeys.every(kind.id) }),
        client.cancelQueries({ queryKey: monitorKeys.detail(kind.id, id) }),
      ]);
      const before =
        listedMonitors(client, kind.id).find((monitor) => monitor.id === id) ??
        client.getQueryData<Monitor>(monitorKeys.detail(kind.id, id));
      patchMonitors(client, kind.id, new Map([[id, { enabled, state: enabled ? "unknown" : "paused" }]]));
      return before && { enabled: before.enabled, state: before.state };
    },
    onError: (error, { id }, before) => {
      if (before) patchMonitors(client, kind.id, new Map([[id, before]]));
      // Without a session, the sign-in page says what has happened.
      if (!(error instanceof ApiError && error.status === 401)) showToast("error", error.message);
    },
    onSettled: (_answer, _error, { id }) =>
      Promise.all([
        client.invalidateQueries({ queryKey: listKeys.every(kind.id) }),
        client.invalidateQueries({ queryKey: monitorKeys.all(kind.id, id) }),
      ]),
  });
}

export function useDeleteMonitor(kind: MonitorKind) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id }: { id: number }) => call("DELETE", `${kind.api}/${id}`),
    onSuccess: (_answer, { id }) => {
      client.setQueriesData<MonitorPage>({ queryKey: listKeys.pages(kind.id) }, (page) => {
        if (!page) return page;
        const monitors = page.monitors.filter((monitor) => monitor.id !== id);
        return monitors.length < page.monitors.length ? { total: page.total - 1, monitors } : page;
      });
      return withoutHold(() => client.invalidateQueries({ queryKey: listKeys.every(kind.id) }));
    },
  });
}
