import { type QueryClient, useMutation, useQueryClient } from "@tanstack/react-query";
import { showToast } from "../components/toasts.ts";
import { apiPaths } from "../paths.ts";
import { ApiError, call } from "./client.ts";
import { domainKeys } from "./domain-keys.ts";
import { type Domain, type DomainPage, listKeys } from "./domain-list.ts";

const refreshPauseMs = 1_000;
/** Changes of thousands of domains come as fast as they can be checked; nobody reads that fast. */
const betweenRefreshesMs = 3_000;
let refreshTimer: ReturnType<typeof setTimeout> | undefined;
let refreshedAt = 0;

/** Reads what is in sight of the list anew in a moment; any number of calls until then make one round. */
export function refreshDomainsSoon(client: QueryClient): void {
  const restMs = refreshedAt + betweenRefreshesMs - Date.now();
  refreshTimer ??= setTimeout(
    () => {
      refreshTimer = undefined;
      refreshedAt = Date.now();
      void client.invalidateQueries({ queryKey: listKeys.every });
    },
    Math.max(refreshPauseMs, restMs),
  );
}

/** What has been read of the list and is still known, in no particular order; a domain may come twice. */
export function listedDomains(client: QueryClient): Domain[] {
  const pages = client.getQueriesData<DomainPage>({ queryKey: listKeys.pages });
  return pages.flatMap(([, page]) => page?.domains ?? []);
}

/** Changes domains by their number in the cached list and on the pages of their own; others are left out. */
export function patchDomains(client: QueryClient, changes: ReadonlyMap<number, Partial<Domain>>): void {
  const patch = (domain: Domain) => {
    const change = changes.get(domain.id);
    return change ? { ...domain, ...change } : domain;
  };
  // A change makes data pass for fresh; what was to be read again, because something else had changed, still is.
  const isOutdated = ({ state }: { state: { isInvalidated: boolean } }) => state.isInvalidated;
  const outdated = [listKeys.pages, domainKeys.every].flatMap((queryKey) =>
    client.getQueryCache().findAll({ queryKey, predicate: isOutdated }),
  );
  client.setQueriesData<DomainPage>({ queryKey: listKeys.pages }, (page) => {
    const isHere = page?.domains.some((domain) => changes.has(domain.id)) ?? false;
    return page && isHere ? { ...page, domains: page.domains.map(patch) } : page;
  });
  client.setQueriesData<Domain>(
    { queryKey: domainKeys.every, predicate: ({ queryKey }) => domainKeys.isDetail(queryKey) },
    (detail) => detail && patch(detail),
  );
  for (const query of outdated) query.invalidate();
}

/** Starts watching a URL; the list is read again before the promise resolves, so that it stands there. */
export function useAddDomain() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (domain: { url: string }) =>
      call<{ id: number; name: string }>("POST", apiPaths.domains, { body: domain }),
    onSuccess: () => client.invalidateQueries({ queryKey: listKeys.every }),
  });
}

/** Pauses or resumes: shown at once, taken back and told when the API refuses or cannot be reached. */
export function useSetEnabled() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id, enabled }: { id: number; enabled: boolean }) =>
      call("PUT", apiPaths.domain(id), { body: { enabled } }),
    onMutate: async ({ id, enabled }) => {
      await Promise.all([
        client.cancelQueries({ queryKey: listKeys.every }),
        client.cancelQueries({ queryKey: domainKeys.detail(id) }),
      ]);
      const before =
        listedDomains(client).find((domain) => domain.id === id) ??
        client.getQueryData<Domain>(domainKeys.detail(id));
      patchDomains(client, new Map([[id, { enabled, state: enabled ? "unknown" : "paused" }]]));
      return before && { enabled: before.enabled, state: before.state };
    },
    onError: (error, { id }, before) => {
      if (before) patchDomains(client, new Map([[id, before]]));
      // Without a session, the sign-in page says what has happened.
      if (!(error instanceof ApiError && error.status === 401)) showToast("error", error.message);
    },
    onSettled: (_answer, _error, { id }) =>
      Promise.all([
        client.invalidateQueries({ queryKey: listKeys.every }),
        client.invalidateQueries({ queryKey: domainKeys.all(id) }),
      ]),
  });
}

/** Deletes a domain with its history. */
export function useDeleteDomain() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id }: { id: number }) => call("DELETE", apiPaths.domain(id)),
    onSuccess: (_answer, { id }) => {
      client.setQueriesData<DomainPage>({ queryKey: listKeys.pages }, (page) => {
        if (!page) return page;
        const domains = page.domains.filter((domain) => domain.id !== id);
        return domains.length < page.domains.length ? { total: page.total - 1, domains } : page;
      });
      return client.invalidateQueries({ queryKey: listKeys.every });
    },
  });
}
