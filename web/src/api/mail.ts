import { queryOptions, useMutation } from "@tanstack/react-query";
import type { projectMailSettings, projectMailTest } from "../../../server/src/alerts/schemas/mail.ts";
import { translateMessage } from "../i18n/i18n.ts";
import { apiPaths } from "../paths.ts";
import { call } from "./client.ts";

/** What the installation sends mail by; only owners may read it. */
export const mailSettingsQuery = queryOptions({
  queryKey: ["mail"],
  queryFn: async ({ signal }) =>
    (await call<ReturnType<typeof projectMailSettings>>("GET", apiPaths.mail, { signal })).data,
});

/** Sends the reader a mail, and says in their language what the mail server answered. */
export function useSendTestMail() {
  return useMutation({
    mutationFn: async () => {
      const { data } = await call<ReturnType<typeof projectMailTest>>("POST", apiPaths.testMail);
      return { ...data, answer: translateMessage(data.answer, data.answerFact) };
    },
  });
}
