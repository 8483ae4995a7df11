import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import type {
  projectIntegration,
  projectResource,
} from "../../../server/src/integrations/schemas/integrations.ts";
import { apiPaths } from "../paths.ts";
import { call } from "./client.ts";

export type Integration = ReturnType<typeof projectIntegration>;
export type Provider = Integration["provider"];
export type Resource = ReturnType<typeof projectResource>;

/** What can be linked, and what the operator has to set before. */
export interface ProviderInfo {
  provider: Provider;
  title: string;
  link: "form" | "oauth";
  missing: string | null;
  callbackUrl: string | null;
}

/** Where the API has a provider's accounts, and what these have. */
export const providerPaths: Record<Provider, { accounts: string; resources: string }> = {
  azure: { accounts: "/api/azure/accounts", resources: "services" },
  coolify: { accounts: "/api/coolify/instances", resources: "resources" },
  vercel: { accounts: "/api/vercel/accounts", resources: "projects" },
};

/** What is known of accounts; the live stream says when it is old. */
export const integrationsKey = ["integrations"] as const;
const key = integrationsKey;

export const integrationsQuery = queryOptions({
  queryKey: [...key, "all"],
  queryFn: async ({ signal }) => (await call<Integration[]>("GET", apiPaths.integrations, { signal })).data,
});

/** Whether it has not been reviewed yet. */
export const isAwaited = ({ syncedAt, failure }: Integration): boolean =>
  syncedAt === null && failure === null;

export const providersQuery = queryOptions({
  queryKey: [...key, "providers"],
  queryFn: async ({ signal }) =>
    (await call<ProviderInfo[]>("GET", apiPaths.integrationProviders, { signal })).data,
});

export const integrationQuery = (provider: Provider, id: number) =>
  queryOptions({
    queryKey: [...key, provider, id],
    queryFn: async ({ signal }) =>
      (await call<Integration>("GET", `${providerPaths[provider].accounts}/${id}`, { signal })).data,
  });

/** What it has; read again when it has been looked at (`syncedAt`). */
export const resourcesQuery = (provider: Provider, id: number, syncedAt: string | null) =>
  queryOptions({
    queryKey: [...key, provider, id, "resources", syncedAt],
    queryFn: async ({ signal }) => {
      const { accounts, resources } = providerPaths[provider];
      return (await call<Resource[]>("GET", `${accounts}/${id}/${resources}`, { signal })).data;
    },
  });

/** A change of something about accounts, after which all of it is read again. */
function useChange<Input, Output>(
  change: (input: Input) => Promise<Output>,
  reporting: Reporting<Output> = {},
) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: change,
    onSuccess: async (output) => {
      await client.invalidateQueries({ queryKey: key });
      reporting.onDone?.(output);
    },
    onError: (error: Error) => reporting.onFailed?.(error),
  });
}

/** Called with the outcome, even when the component is gone. */
interface Reporting<Output> {
  onDone?: (output: Output) => void;
  onFailed?: (error: Error) => void;
}

interface Linking {
  provider: Provider;
  /** Null: a new one. */
  id: number | null;
  body: object;
}

/** Links an account by its credentials, or changes it. */
export const useLinkAccount = (reporting: Reporting<Integration>) =>
  useChange(async ({ provider, id, body }: Linking) => {
    const { accounts } = providerPaths[provider];
    const answer = await (id === null
      ? call<Integration>("POST", accounts, { body })
      : call<Integration>("PUT", `${accounts}/${id}`, { body }));
    return answer.data;
  }, reporting);

/** Begins to link by agreeing over there: where to. */
export const useBeginLink = () =>
  useMutation({
    mutationFn: async ({ provider, id }: Pick<Linking, "provider" | "id">) => {
      const { accounts } = providerPaths[provider];
      const path = id === null ? accounts : `${accounts}/${id}/relink`;
      return (await call<{ authorizationUrl: string }>("POST", path, { body: {} })).data.authorizationUrl;
    },
  });

/** Ends it, with what the browser came back with. */
export const useCompleteLink = () =>
  useChange(
    async (body: { code: string; state: string }) =>
      (await call<Integration>("POST", `${providerPaths.vercel.accounts}/callback`, { body })).data,
  );

export const useUnlinkAccount = (provider: Provider) =>
  useChange(({ id }: { id: number }) => call("DELETE", `${providerPaths[provider].accounts}/${id}`));

/** Has an account read now; the live stream says when that is done. */
export const useSyncAccount = (provider: Provider) =>
  useMutation({
    mutationFn: ({ id }: { id: number }) => call("POST", `${providerPaths[provider].accounts}/${id}/sync`),
  });

export const useMonitorResource = (provider: Provider, id: number) =>
  useChange(async (resource: number) => {
    const { accounts, resources } = providerPaths[provider];
    return (await call<Resource>("POST", `${accounts}/${id}/${resources}/${resource}/monitor`)).data;
  });
