import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import type { projectApiKey, projectCreatedApiKey } from "../../../server/src/accounts/schemas/api-keys.ts";
import { apiPaths } from "../paths.ts";
import { call } from "./client.ts";

export type ApiKey = ReturnType<typeof projectApiKey>;
/** With its token, which is shown this once. */
export type CreatedApiKey = ReturnType<typeof projectCreatedApiKey>;

/** The keys that the reader may see: owners and admins see everybody's. */
export const apiKeysQuery = queryOptions({
  queryKey: ["api-keys"],
  queryFn: async ({ signal }) => (await call<ApiKey[]>("GET", apiPaths.apiKeys, { signal })).data,
});

export interface NewApiKey {
  name: string;
  scopes: string[];
  /** ISO 8601; null: never. */
  expiresAt: string | null;
  /** Acts in every organization of its person, or in this one only. */
  allOrganizations: boolean;
}

export function useCreateApiKey() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (key: NewApiKey) =>
      (await call<CreatedApiKey>("POST", apiPaths.apiKeys, { body: key })).data,
    onSuccess: () => client.invalidateQueries(apiKeysQuery),
  });
}

/** Deletes a key: who uses it is refused from then on. */
export function useDeleteApiKey() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id }: { id: number }) => call("DELETE", apiPaths.apiKey(id)),
    onSuccess: () => client.invalidateQueries(apiKeysQuery),
  });
}
