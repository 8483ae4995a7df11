import { keepPreviousData, queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { wants } from "../../../server/src/alerts/channels/filter.ts";
import type {
  projectChannel,
  projectChannelTest,
  projectDelivery,
} from "../../../server/src/alerts/schemas/channels.ts";
import { translateMessage } from "../i18n/i18n.ts";
import { apiPaths } from "../paths.ts";
import { call } from "./client.ts";

export type Channel = ReturnType<typeof projectChannel>;
export type ChannelDelivery = ReturnType<typeof projectDelivery>;

/** Refetch interval while a confirmation or a delivery is pending. */
const LOOK_MS = 5_000;
/** A message comes with every try. */
const LOG_PAGE = 20;

export const channelsQuery = queryOptions({
  queryKey: ["channels"],
  queryFn: async ({ signal }) => (await call<Channel[]>("GET", apiPaths.channels, { signal })).data,
});

/** The channels that are notified when such a monitor goes down, regardless of the hour; `severity` is what details have. */
export const alertedBy = (
  channels: readonly Channel[],
  {
    kind,
    severity,
    tags,
  }: { kind?: string; severity?: Channel["severities"][number]; tags: readonly string[] },
): Channel[] =>
  channels.filter((channel) => {
    const severities = severity === undefined ? [] : channel.severities;
    const event = kind === "device" ? "device.offline" : "monitor.down";
    const down = { event, severity: severity ?? "high", tags } as const;
    return channel.enabled && channel.confirmed && wants({ ...channel, severities }, down, false);
  });

export const channelQuery = (id: number) =>
  queryOptions({
    queryKey: ["channels", id],
    queryFn: async ({ signal }) => (await call<Channel>("GET", apiPaths.channel(id), { signal })).data,
    refetchInterval: ({ state }) => state.data?.confirmed === false && LOOK_MS,
  });

/** A page of what a channel was sent, newest first. */
export const deliveriesQuery = (id: number, page: number) =>
  queryOptions({
    queryKey: ["channels", id, "deliveries", page],
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) => {
      const query = { page, limit: LOG_PAGE };
      const path = apiPaths.channelDeliveries(id);
      const { data, pagination } = await call<ChannelDelivery[]>("GET", path, { query, signal });
      return {
        deliveries: data,
        pages: pagination?.totalPages ?? 1,
        total: pagination?.total ?? data.length,
      };
    },
    refetchInterval: ({ state }) =>
      state.data?.deliveries.some((delivery) => delivery.state === "waiting") === true && LOOK_MS,
  });

export function useSaveChannel(id: number | null) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (body: object) =>
      (
        await (id === null
          ? call<Channel>("POST", apiPaths.channels, { body })
          : call<Channel>("PUT", apiPaths.channel(id), { body }))
      ).data,
    onSuccess: () => client.invalidateQueries(channelsQuery),
  });
}

/** Sends a test message, and says in the reader's language what the other side answered. */
export function useTestChannel() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async ({ id }: { id: number }) => {
      const { data } = await call<ReturnType<typeof projectChannelTest>>("POST", apiPaths.testChannel(id));
      return { ...data, answer: translateMessage(data.answer, data.answerFact) };
    },
    onSettled: () => client.invalidateQueries(channelsQuery),
  });
}

export function useResendConfirmation() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id }: { id: number }) => call("POST", apiPaths.channelConfirmation(id)),
    onSuccess: () => client.invalidateQueries(channelsQuery),
  });
}

export function useDeleteChannel() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id }: { id: number }) => call("DELETE", apiPaths.channel(id)),
    onSuccess: () => client.invalidateQueries(channelsQuery),
  });
}

export function useResend(id: number) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (delivery: { id: number }) => call("POST", apiPaths.resendDelivery(id, delivery.id)),
    onSuccess: () => client.invalidateQueries(channelsQuery),
  });
}
