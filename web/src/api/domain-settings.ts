import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import type { projectDomainLimits } from "../../../server/src/wire/domain-limits.ts";
import { apiPaths } from "../paths.ts";
import { call } from "./client.ts";
import { type DomainDetail, domainQuery } from "./domain.ts";
import { listKeys } from "./domain-list.ts";

/** What the plan and the installation allow; intervals in seconds. */
export type DomainLimits = ReturnType<typeof projectDomainLimits>;

export const domainLimitsQuery = queryOptions({
  queryKey: ["domain-limits"],
  // As it is when a form opens; what was asked for on the way there counts.
  staleTime: 5_000,
  queryFn: async ({ signal }) => (await call<DomainLimits>("GET", apiPaths.domainLimits, { signal })).data,
});

/** Creates a domain, or changes the one of that number: `body` by the wire schema. Answers it in full. */
export function useSaveDomain(id: number | null) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (body: object) => {
      const [method, path] =
        id === null ? (["POST", apiPaths.domains] as const) : (["PUT", apiPaths.domain(id)] as const);
      return (await call<DomainDetail>(method, path, { body })).data;
    },
    onSuccess: (detail) => {
      client.setQueryData(domainQuery(detail.id).queryKey, detail);
      void client.invalidateQueries({ queryKey: listKeys.every });
    },
  });
}
