import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import type {
  projectDeployment,
  projectWebhook,
} from "../../../server/src/integrations/schemas/deployments.ts";
import { apiPaths } from "../paths.ts";
import { call } from "./client.ts";
import type { Range } from "./monitor.ts";

export type Deployment = ReturnType<typeof projectDeployment>;
export type DeploymentWebhook = ReturnType<typeof projectWebhook>;
/** With its secret, which is shown this once. */
export type CreatedWebhook = DeploymentWebhook & { secret: string | null };

/** What is known of deployments and webhooks; the live stream says when it is old. */
export const deploymentsKey = ["deployments"] as const;

const newestShown = 20;
const mostMarks = 200;

export const deploymentsQuery = queryOptions({
  queryKey: [...deploymentsKey, "newest"],
  queryFn: async ({ signal }) =>
    (await call<Deployment[]>("GET", `${apiPaths.deployments}?limit=${newestShown}`, { signal })).data,
});

const lengthsMs: Record<Range, number> = {
  "1h": 3_600_000,
  "24h": 86_400_000,
  "7d": 7 * 86_400_000,
  "30d": 30 * 86_400_000,
};

/** Those that touch a monitor in a range, for marks on its charts. Who may not see any sees none. */
export const monitorDeploymentsQuery = (id: number, range: Range) =>
  queryOptions({
    queryKey: [...deploymentsKey, id, range],
    queryFn: async ({ signal }) => {
      const from = new Date(Date.now() - lengthsMs[range]).toISOString();
      const query = new URLSearchParams({ monitor: String(id), from, limit: String(mostMarks) });
      return (await call<Deployment[]>("GET", `${apiPaths.deployments}?${query}`, { signal })).data;
    },
    retry: false,
  });

export const webhooksQuery = queryOptions({
  queryKey: [...deploymentsKey, "webhooks"],
  queryFn: async ({ signal }) =>
    (await call<DeploymentWebhook[]>("GET", apiPaths.deploymentWebhooks, { signal })).data,
});

export interface WebhookSettings {
  name: string;
  tags: string[];
  environments: string[];
  /** Of those that it touches by name; without them, as before. */
  monitors?: string[];
  provider?: DeploymentWebhook["provider"];
  /** Of a known one: whether another secret is made. */
  renewSecret?: boolean;
}

/**
 * Null: a new one; the answer has its secret. The callback runs even when its component is gone: a secret is
 * shown only once.
 */
export function useSaveWebhook(
  id: number | null,
  { onSaved, onFailed }: { onSaved: (saved: CreatedWebhook) => void; onFailed: (error: Error) => void },
) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (body: WebhookSettings) => {
      const answer = await (id === null
        ? call<CreatedWebhook>("POST", apiPaths.deploymentWebhooks, { body })
        : call<CreatedWebhook>("PUT", apiPaths.deploymentWebhook(id), { body }));
      return answer.data;
    },
    onSuccess: async (saved) => {
      await client.invalidateQueries(webhooksQuery);
      onSaved(saved);
    },
    onError: onFailed,
  });
}

export function useDeleteWebhook() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id }: { id: number }) => call("DELETE", apiPaths.deploymentWebhook(id)),
    onSuccess: () => client.invalidateQueries(webhooksQuery),
  });
}
