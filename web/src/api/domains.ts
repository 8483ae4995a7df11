import { type QueryClient, queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import type { projectDomain } from "../../../server/src/wire/legacy/domains.ts";
import { apiPaths } from "../paths.ts";
import { call } from "./client.ts";

/** One item of the list; `responseTime` in milliseconds, `uptimePercentage` 0…100 over the last 24 hours. */
export type Domain = ReturnType<typeof projectDomain>;

export interface DomainPage {
  domains: Domain[];
  /** How many there are altogether. */
  total: number;
}

/** The largest page the API gives; sorting and filtering happen here, without a round trip a key. */
const pageSize = 1000;

/** The organization's domains. */
export const domainsQuery = queryOptions({
  queryKey: ["domains"],
  queryFn: async ({ signal }): Promise<DomainPage> => {
    const answer = await call<Domain[]>("GET", apiPaths.domains, { query: { limit: pageSize }, signal });
    return { domains: answer.data, total: answer.pagination?.total ?? answer.data.length };
  },
});

/** Changes one domain in the cached list; answers whether it stands there. */
export function patchDomain(client: QueryClient, id: number, change: Partial<Domain>): boolean {
  const page = client.getQueryData(domainsQuery.queryKey);
  if (!page?.domains.some((domain) => domain.id === id)) return false;
  client.setQueryData(domainsQuery.queryKey, {
    ...page,
    domains: page.domains.map((domain) => (domain.id === id ? { ...domain, ...change } : domain)),
  });
  return true;
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
      await client.cancelQueries(domainsQuery);
      patchDomain(client, id, { enabled, state: enabled ? "unknown" : "paused" });
    },
    onSettled: () => client.invalidateQueries(domainsQuery),
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
