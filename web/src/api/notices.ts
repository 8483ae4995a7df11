import { type QueryClient, queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import type { projectNotice } from "../../../server/src/wire/notifications.ts";
import { apiPaths } from "../paths.ts";
import { call } from "./client.ts";
import { readAgainSoon } from "./read-again.ts";

/** One thing that people were told. */
export type Notice = ReturnType<typeof projectNotice>;

/** As many as the bell has; whoever has more unread ones reads "50+". */
export const noticesShown = 50;

/** What people were told last, newest first. */
export const noticesQuery = queryOptions({
  queryKey: ["notices"],
  queryFn: async ({ signal }) =>
    (await call<Notice[]>("GET", apiPaths.notifications, { query: { limit: noticesShown }, signal })).data,
});

/** The reader has seen this one, or all of them: shown at once, and read again when the API refuses. */
export function useMarkRead() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: number | "all") =>
      call("PUT", id === "all" ? apiPaths.readNotifications : apiPaths.readNotification(id)),
    onMutate: async (id) => {
      await client.cancelQueries({ queryKey: noticesQuery.queryKey });
      client.setQueryData(noticesQuery.queryKey, (notices) =>
        notices?.map((one) => (id === "all" || one.id === id ? { ...one, isRead: true } : one)),
      );
    },
    onSettled: () => client.invalidateQueries({ queryKey: noticesQuery.queryKey }),
  });
}

/** Reads them anew in a moment. */
export const refreshNoticesSoon = (client: QueryClient): void => readAgainSoon(client, noticesQuery.queryKey);
