import { type QueryClient, queryOptions, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { projectNotice } from "../../../server/src/wire/notifications.ts";
import { apiPaths } from "../paths.ts";
import { call } from "./client.ts";
import { readAgainSoon } from "./read-again.ts";

/** One thing that people were told. */
export type Notice = ReturnType<typeof projectNotice>;

/** What people were told last, and how many of the newest thousand the reader has not read. */
interface Notices {
  /** Newest first. */
  notices: Notice[];
  unread: number;
}

/** As many as the bell has. */
const noticesShown = 50;

/** What people were told last, and how much of it is unread. */
export const noticesQuery = queryOptions({
  queryKey: ["notices"],
  queryFn: async ({ signal }): Promise<Notices> => {
    const query = { limit: noticesShown, grouped: true };
    const answer = await call<Notice[], { unread: number }>("GET", apiPaths.notifications, { query, signal });
    return { notices: answer.data, unread: answer.beside.unread };
  },
});

/** How many the reader has not seen. */
export const useUnread = (): number =>
  useQuery({ ...noticesQuery, select: ({ unread }) => unread }).data ?? 0;

/** The reader has seen this one, or all of them: shown at once, and read again when the API refuses. */
export function useMarkRead() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: number | "all") =>
      call("PUT", id === "all" ? apiPaths.readNotifications : apiPaths.readNotification(id)),
    onMutate: async (id) => {
      await client.cancelQueries({ queryKey: noticesQuery.queryKey });
      client.setQueryData(noticesQuery.queryKey, (known) => known && marked(known, id));
    },
    onSettled: () => client.invalidateQueries({ queryKey: noticesQuery.queryKey }),
  });
}

const marked = ({ notices, unread }: Notices, id: number | "all"): Notices => ({
  notices: notices.map((one) => (id === "all" || one.id === id ? { ...one, isRead: true } : one)),
  unread: id === "all" ? 0 : unread - notices.filter((one) => one.id === id && !one.isRead).length,
});

/** Reads them anew in a moment. */
export const refreshNoticesSoon = (client: QueryClient): void => readAgainSoon(client, noticesQuery.queryKey);
