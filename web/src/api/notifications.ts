import { type QueryClient, queryOptions, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { projectReadNotification } from "../../../server/src/alerts/schemas/notifications.ts";
import { apiPaths } from "../paths.ts";
import { call } from "./client.ts";
import { readAgainSoon } from "./read-again.ts";

export type NotificationItem = ReturnType<typeof projectReadNotification>;

interface NotificationList {
  /** Newest first. */
  notifications: NotificationItem[];
  unread: number;
}

/** As many as the bell has. */
const notificationsShown = 50;

export const notificationsQuery = queryOptions({
  queryKey: ["notifications"],
  queryFn: async ({ signal }): Promise<NotificationList> => {
    const query = { limit: notificationsShown, grouped: true };
    const answer = await call<NotificationItem[], { unread: number }>("GET", apiPaths.notifications, {
      query,
      signal,
    });
    return { notifications: answer.data, unread: answer.beside.unread };
  },
});

/** How many the reader has not seen. */
export const useUnread = (): number =>
  useQuery({ ...notificationsQuery, select: ({ unread }) => unread }).data ?? 0;

/** The reader has seen this one, or all of them: shown at once, and read again when the API refuses. */
export function useMarkRead() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: number | "all") =>
      call("PUT", id === "all" ? apiPaths.readNotifications : apiPaths.readNotification(id)),
    onMutate: async (id) => {
      await client.cancelQueries({ queryKey: notificationsQuery.queryKey });
      client.setQueryData(notificationsQuery.queryKey, (known) => known && marked(known, id));
    },
    onSettled: () => client.invalidateQueries({ queryKey: notificationsQuery.queryKey }),
  });
}

const marked = ({ notifications, unread }: NotificationList, id: number | "all"): NotificationList => ({
  notifications: notifications.map((one) => (id === "all" || one.id === id ? { ...one, isRead: true } : one)),
  unread: id === "all" ? 0 : unread - notifications.filter((one) => one.id === id && !one.isRead).length,
});

export const refreshNotificationsSoon = (client: QueryClient): void =>
  readAgainSoon(client, notificationsQuery.queryKey);
