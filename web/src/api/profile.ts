import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import type { projectSession } from "../../../server/src/accounts/schemas/auth.ts";
import { apiPaths } from "../paths.ts";
import { ApiError, call } from "./client.ts";
import { savePreferences } from "./preferences.ts";
import { type Session, sessionQuery } from "./session.ts";

export type SignIn = ReturnType<typeof projectSession>;

export const signInsQuery = queryOptions({
  queryKey: ["sign-ins"],
  queryFn: async ({ signal }) => (await call<SignIn[]>("GET", apiPaths.sessions, { signal })).data,
});

export interface TwoFactor {
  enabled: boolean;
  recoveryCodesLeft: number;
}

export const twoFactorQuery = queryOptions({
  queryKey: ["two-factor"],
  queryFn: async ({ signal }) => (await call<TwoFactor>("GET", apiPaths.twoFactor, { signal })).data,
});

export function useChangeName() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (name: string) => (await call<Session>("PUT", apiPaths.me, { body: { name } })).data,
    onSuccess: (session) => client.setQueryData(sessionQuery.queryKey, session),
  });
}

/** Changes the zone that dates and times are written in; null: the browser's. */
export function useChangeTimeZone() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (timeZone: string | null) => savePreferences(client, { timeZone }),
    // It was taken as done.
    onError: () => client.invalidateQueries(sessionQuery),
  });
}

/** Changes the password; the reader's other sessions end. */
export function useChangePassword() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: { currentPassword: string; password: string }) =>
      call("PUT", apiPaths.password, { body }),
    onSuccess: () => client.invalidateQueries(signInsQuery),
  });
}

/** Mails a link to another address, which becomes the reader's once it is followed; gives the address. */
export function useRequestEmailChange() {
  return useMutation({
    mutationFn: async (body: { email: string; password: string }) => {
      await call("POST", apiPaths.email, { body });
      return body.email;
    },
  });
}

/** Ends one of the reader's other sessions. Resolves too when it had ended already. */
export function useEndSignIn() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async ({ id }: SignIn) => {
      try {
        await call("DELETE", apiPaths.session(id));
      } catch (error) {
        if (!(error instanceof ApiError && error.status === 404)) throw error;
      }
    },
    onSuccess: () => client.invalidateQueries(signInsQuery),
  });
}

export function useEndOtherSignIns() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => call("DELETE", apiPaths.sessions),
    onSuccess: () => client.invalidateQueries(signInsQuery),
  });
}

/** What an authenticator app is given. */
export interface TwoFactorSecret {
  /** Base32. */
  secret: string;
  /** `otpauth://…` */
  uri: string;
}

/** Requests a secret; it counts once a code has confirmed it. */
export function useStartTwoFactor() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (body: { password: string }) =>
      (await call<TwoFactorSecret>("POST", apiPaths.twoFactor, { body })).data,
    // 409: it has been turned on elsewhere.
    onError: () => client.invalidateQueries(twoFactorQuery),
  });
}

/** Turns two-factor sign-in on; gives the recovery codes. The reader's other sessions end. */
export const useConfirmTwoFactor = () => useTwoFactorChange<{ code: string }>(apiPaths.confirmTwoFactor);

export const useRenewRecoveryCodes = () => useTwoFactorChange<{ password: string }>(apiPaths.recoveryCodes);

export const useDisableTwoFactor = () => useTwoFactorChange<{ password: string }>(apiPaths.disableTwoFactor);

function useTwoFactorChange<Body extends object>(path: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (body: Body) =>
      (await call<{ recoveryCodes?: string[] }>("POST", path, { body })).data.recoveryCodes ?? [],
    onSuccess: () =>
      Promise.all([client.invalidateQueries(twoFactorQuery), client.invalidateQueries(signInsQuery)]),
  });
}
