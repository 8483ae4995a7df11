import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import type { projectChannelTest } from "../../../server/src/alerts/schemas/channels.ts";
import type { projectSettings } from "../../../server/src/alerts/schemas/notifications.ts";
import { translateMessage } from "../i18n/i18n.ts";
import { apiPaths } from "../paths.ts";
import { call } from "./client.ts";

export type NotificationSettings = ReturnType<typeof projectSettings>;

export type NotificationTarget = NotificationSettings["targets"][number];

/** What the reader is notified of, and how. */
export const notificationSettingsQuery = queryOptions({
  queryKey: ["notification-settings"],
  queryFn: async ({ signal }) =>
    (await call<NotificationSettings>("GET", apiPaths.notificationSettings, { signal })).data,
});

export function useSaveNotificationSettings() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (body: object) =>
      (await call<NotificationSettings>("PUT", apiPaths.notificationSettings, { body })).data,
    onSuccess: (settings) => client.setQueryData(notificationSettingsQuery.queryKey, settings),
  });
}

export function useRequestOwnConfirmation() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async () => (await call<NotificationSettings>("POST", apiPaths.ownConfirmation)).data,
    onSuccess: (settings) => client.setQueryData(notificationSettingsQuery.queryKey, settings),
    onError: () => client.invalidateQueries(notificationSettingsQuery),
  });
}

/** Sends a test message, and says in the reader's language what the other side answered. */
export function useTestNotifications() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async ({ type }: Pick<NotificationTarget, "type">) => {
      const body = { type };
      const { data } = await call<ReturnType<typeof projectChannelTest>>("POST", apiPaths.testNotifications, {
        body,
      });
      return { ...data, answer: translateMessage(data.answer, data.answerFact) };
    },
    onSettled: () => client.invalidateQueries(notificationSettingsQuery),
  });
}
