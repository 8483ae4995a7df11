import {
  keepPreviousData,
  type QueryClient,
  queryOptions,
  useMutation,
  useQueryClient,
} from "@tanstack/react-query";
import type { projectSubscriber } from "../../../server/src/status-pages/schemas/subscribers.ts";
import { apiPaths } from "../paths.ts";
import { call } from "./client.ts";

export type Subscriber = ReturnType<typeof projectSubscriber>;

/** Which of a page's subscribers are shown; `page` from 1. */
export interface SubscribersView {
  search: string;
  kind?: Subscriber["kind"] | undefined;
  state?: Subscriber["state"] | undefined;
  page: number;
}

/** What new subscribers are notified of; `components`: their uuids, null for all; `agreed`: no confirmation is needed. */
export interface SubscriptionChoices {
  components: readonly string[] | null;
  language: Subscriber["language"];
  agreed: boolean;
}

export interface ImportedSubscribers {
  added: number;
  known: number;
  refused: number;
  problems: { line: number; message: string; fact: unknown }[];
}

const root = "subscribers";
export const subscribersAtOnce = 50;

/** A page of a status page's subscribers, newest first. */
export const subscribersQuery = (id: number, { search, kind, state, page }: SubscribersView) =>
  queryOptions({
    queryKey: [root, id, search, kind, state, page],
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) => {
      const query = { search: search || undefined, kind, state, page, limit: subscribersAtOnce };
      const { data, pagination } = await call<Subscriber[]>("GET", apiPaths.subscribers(id), {
        query,
        signal,
      });
      return { items: data, total: pagination?.total ?? data.length };
    },
  });

const refresh = (client: QueryClient, id: number) => client.invalidateQueries({ queryKey: [root, id] });

/** Adds one; a webhook's answer holds the secret that its messages are signed with, this once. */
export function useAddSubscriber(id: number) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (body: SubscriptionChoices & { kind: Subscriber["kind"]; address: string }) =>
      (await call<Subscriber & { secret: string | null }>("POST", apiPaths.subscribers(id), { body })).data,
    onSuccess: () => refresh(client, id),
  });
}

export function useImportSubscribers(id: number) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (body: SubscriptionChoices & { content: string }) =>
      (await call<ImportedSubscribers>("POST", `${apiPaths.subscribers(id)}/import`, { body })).data,
    onSuccess: () => refresh(client, id),
  });
}

export function useRemoveSubscriber(pageId: number) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id }: { id: number }) => call("DELETE", `${apiPaths.subscribers(pageId)}/${id}`),
    onSuccess: () => refresh(client, pageId),
  });
}
