import { type QueryClient, queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import type { projectDomain } from "../../../server/src/wire/legacy/domains.ts";
import { apiPaths } from "../paths.ts";
import { call } from "./client.ts";
import { domainKeys } from "./domain-keys.ts";

/** One item of the list; `responseTime` in milliseconds, `uptimePercentage` 0…100 over the last 24 hours. */
export type Domain = ReturnType<typeof projectDomain>;

export interface DomainPage {
  domains: Domain[];
  /** How many there are altogether. */
  total: number;
}

/** The largest page the API gives; sorting and filtering happen here, without a round trip a key. */
const pageSize = 1000;

/** The list's figures move by themselves, above all the uptime of what is down. */
const figuresAgeMs = 60_000;

/** The organization's domains. */
export const domainsQuery = queryOptions({
  queryKey: ["domains"],
  refetchInterval: figuresAgeMs,
  queryFn: async ({ signal }): Promise<DomainPage> => {
    const answer = await call<Domain[]>("GET", apiPaths.domains, { query: { limit: pageSize }, signal });
    return { domains: answer.data, total: answer.pagination?.total ?? answer.data.length };
  },
});

const refreshPauseMs = 1_000;
let refreshTimer: ReturnType<typeof setTimeout> | undefined;

/** Reads the list anew in a moment; any number of calls until then make one request. */
export function refreshDomainsSoon(client: QueryClient): void {
  refreshTimer ??= setTimeout(() => {
    refreshTimer = undefined;
    void client.invalidateQueries(domainsQuery);
  }, refreshPauseMs);
}

/** Changes domains by their number in the cached list and on the pages of their own; others are left out. */
export function patchDomains(client: QueryClient, changes: ReadonlyMap<number, Partial<Domain>>): void {
  const patch = (domain: Domain) => {
    const change = changes.get(domain.id);
    return change ? { ...domain, ...change } : domain;
  };
  client.setQueryData(domainsQuery.queryKey, (page) => page && { ...page, domains: page.domains.map(patch) });
  client.setQueriesData<Domain>(
    { queryKey: domainKeys.every, predicate: ({ queryKey }) => domainKeys.isDetail(queryKey) },
    (detail) => detail && patch(detail),
  );
}

/** Starts watching a URL; the list is read again before the promise resolves, so that it stands there. */
export function useAddDomain() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (domain: { url: string }) =>
      call<{ id: number; name: string }>("POST", apiPaths.domains, { body: domain }),
    onSuccess: () => client.invalidateQueries(domainsQuery),
  });
}

/** Pauses or resumes: shown at once, taken back when the API refuses. */
export function useSetEnabled() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id, enabled }: { id: number; enabled: boolean }) =>
      call("PUT", apiPaths.domain(id), { body: { enabled } }),
    onMutate: async ({ id, enabled }) => {
      await Promise.all([
        client.cancelQueries(domainsQuery),
        client.cancelQueries({ queryKey: domainKeys.detail(id) }),
      ]);
      patchDomains(client, new Map([[id, { enabled, state: enabled ? "unknown" : "paused" }]]));
    },
    onSettled: (_answer, _error, { id }) =>
      Promise.all([
        client.invalidateQueries(domainsQuery),
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
      client.setQueryData(
        domainsQuery.queryKey,
        (page) =>
          page && {
            total: page.total - 1,
            domains: page.domains.filter((domain) => domain.id !== id),
          },
      );
    },
  });
}
