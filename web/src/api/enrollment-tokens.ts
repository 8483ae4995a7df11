import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import type { projectEnrollmentToken } from "../../../server/src/wire/enrollment-tokens.ts";
import { apiPaths } from "../paths.ts";
import { call } from "./client.ts";

export type EnrollmentToken = ReturnType<typeof projectEnrollmentToken>;

export const enrollmentTokensQuery = queryOptions({
  queryKey: ["enrollment-tokens"],
  queryFn: async ({ signal }) =>
    (await call<EnrollmentToken[]>("GET", apiPaths.enrollmentTokens, { signal })).data,
});

/** Makes one; the answer has the token itself, this once. */
export function useCreateEnrollmentToken() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (body: { name: string; expiresAt: string | null }) =>
      (await call<EnrollmentToken & { token: string }>("POST", apiPaths.enrollmentTokens, { body })).data,
    onSuccess: () => client.invalidateQueries(enrollmentTokensQuery),
  });
}

/** Ends one: nobody enrols with it any more. */
export function useRevokeEnrollmentToken() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id }: { id: number }) => call("DELETE", apiPaths.enrollmentToken(id)),
    onSuccess: () => client.invalidateQueries(enrollmentTokensQuery),
  });
}
