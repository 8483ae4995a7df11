import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import type { projectChannelTest } from "../../../server/src/alerts/schemas/channels.ts";
import type { projectPushBrowser } from "../../../server/src/alerts/schemas/mail.ts";
import { translateMessage } from "../i18n/i18n.ts";
import { apiPaths } from "../paths.ts";
import { call } from "./client.ts";

export type PushBrowser = ReturnType<typeof projectPushBrowser>;

interface PushBrowsers {
  publicKey: string;
  browsers: PushBrowser[];
}

/** The reader's own, and the key with which this one subscribes. */
export const pushQuery = queryOptions({
  queryKey: ["push"],
  queryFn: async ({ signal }) => (await call<PushBrowsers>("GET", apiPaths.push, { signal })).data,
});

export function useSubscribe(subscribe: (publicKey: string) => Promise<PushSubscriptionJSON>) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (publicKey: string) => {
      const body = await subscribe(publicKey);
      return (await call<PushBrowser>("POST", apiPaths.push, { body })).data;
    },
    onSettled: () => client.invalidateQueries(pushQuery),
  });
}

export function useUnsubscribe() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id }: { id: number }) => call("DELETE", apiPaths.pushBrowser(id)),
    onSettled: () => client.invalidateQueries(pushQuery),
  });
}

/** Sends a test message, and says in the reader's language what the push service answered. */
export function useTestPush() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async ({ id }: { id: number }) => {
      const { data } = await call<ReturnType<typeof projectChannelTest>>("POST", apiPaths.testPush(id));
      return { ...data, answer: translateMessage(data.answer, data.answerFact) };
    },
    onSettled: () => client.invalidateQueries(pushQuery),
  });
}
