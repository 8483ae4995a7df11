import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import type { AcknowledgementShown } from "../../../server/src/alerts/schemas/acknowledgement.ts";
import { currentTimeZone } from "../i18n/format.ts";
import { currentLanguage } from "../i18n/i18n.ts";
import { apiPaths } from "../paths.ts";
import { call } from "./client.ts";

/** Who reads what a link is about: all of it in their language, with the times of their zone. */
const reader = () => ({ language: currentLanguage(), timeZone: currentTimeZone() });

/** What a message's link leads to, and whether it has been acknowledged. */
export const acknowledgementQuery = (token: string) =>
  queryOptions({
    queryKey: ["acknowledgement", token, reader()],
    queryFn: async ({ signal }) =>
      (
        await call<AcknowledgementShown>("POST", apiPaths.acknowledgement, {
          body: { token, ...reader() },
          signal,
        })
      ).data,
    retry: false,
  });

export function useAcknowledgement(token: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async () =>
      (
        await call<AcknowledgementShown>("POST", apiPaths.confirmAcknowledgement, {
          body: { token, ...reader() },
        })
      ).data,
    // Another person may have been first: the present state is shown.
    onError: () => client.invalidateQueries({ queryKey: acknowledgementQuery(token).queryKey }),
    onSuccess: (data) => client.setQueryData(acknowledgementQuery(token).queryKey, data),
  });
}
