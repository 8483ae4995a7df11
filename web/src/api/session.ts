import { type QueryClient, queryOptions } from "@tanstack/react-query";
import type {
  projectMe,
  Preferences as StoredPreferences,
} from "../../../server/src/accounts/schemas/auth.ts";
import type { Language } from "../i18n/languages.ts";
import { apiPaths } from "../paths.ts";
import { ApiError, call } from "./client.ts";
import { forgetRecents } from "./recents.ts";

export type Session = ReturnType<typeof projectMe>;

/** How the app looks and speaks to them, in whatever browser. */
export type Preferences = Pick<Session["user"], keyof (typeof StoredPreferences)["properties"]>;

/** Whether no account exists yet (the server's token is then required), registration is open, mail is sent. */
interface AuthState {
  setupRequired: boolean;
  setupTokenRequired: boolean;
  signupOpen: boolean;
  mail: boolean;
}

export const sessionQuery = queryOptions({
  queryKey: ["session"],
  staleTime: Number.POSITIVE_INFINITY,
  queryFn: async ({ signal }): Promise<Session | null> => {
    try {
      return (await call<Session>("GET", apiPaths.me, { signal })).data;
    } catch (error) {
      if (error instanceof ApiError && error.status === 401) return null;
      throw error;
    }
  },
});

/** Checks whether the session is still valid; otherwise the cache's `onSignedOut` runs (queries.ts). */
export const checkSession = (client: QueryClient): Promise<void> =>
  client
    .fetchQuery({
      queryKey: ["session-check"],
      staleTime: 0,
      gcTime: 0,
      retry: false,
      queryFn: ({ signal }) => call("GET", apiPaths.me, { signal }),
    })
    .then(
      () => {},
      () => {},
    );

/** Requested only without a session. */
export const authStateQuery = queryOptions({
  queryKey: ["auth-state"],
  staleTime: 0,
  queryFn: async ({ signal }) => (await call<AuthState>("GET", apiPaths.authState, { signal })).data,
});

export function setUp(owner: {
  setupToken?: string;
  name: string;
  email: string;
  password: string;
  organization?: string;
}) {
  return call("POST", apiPaths.setUp, { body: owner });
}

export interface Credentials {
  email: string;
  password: string;
  /** Of an invitation that is accepted at the same time. */
  invitation?: string | undefined;
}

/** Signs in; `code` from the authenticator app, for accounts that have one. */
export function signIn(credentials: Credentials & { code?: string }) {
  return call("POST", apiPaths.signIn, { body: credentials });
}

/** Creates an account for an invited person, and signs them in. */
export function signUp(account: Credentials & { name: string }) {
  return call("POST", apiPaths.signUp, { body: account });
}

/** After signing in: forgets what was read before and reads who it is now. */
export async function readNewSession(client: QueryClient): Promise<void> {
  forgetSession(client);
  await client.fetchQuery({ ...sessionQuery, staleTime: 0 });
}

/** Has a link mailed for choosing a new password, in that language. */
export function forgotPassword(request: { email: string; language: Language }) {
  return call("POST", apiPaths.forgotPassword, { body: request });
}

/** Chooses it, with the token of the link; every session of the person ends. */
export function resetPassword(reset: { token: string; password: string }) {
  return call("POST", apiPaths.resetPassword, { body: reset });
}

/** Makes the address to which the token was mailed the person's. */
export function confirmEmail(confirmation: { token: string }) {
  return call<{ email: string }>("POST", apiPaths.confirmEmail, { body: confirmation });
}

/** Ends the session here and forgets everything that was read with it. */
export async function signOut(client: QueryClient): Promise<void> {
  await call("POST", apiPaths.signOut);
  forgetSession(client);
}

/** Where this browser has the last view (stored-view.ts). */
export const viewKey = "vedette.view";

/** Forgets it, so that no one else sees it. */
export function forgetView(): void {
  try {
    localStorage.removeItem(viewKey);
  } catch {
    // Storage is blocked: there is none.
  }
}

/** Forgets everything that was read, so that the next person sees nothing of the last. */
export function forgetSession(client: QueryClient): void {
  forgetView();
  forgetRecents();
  client.clear();
  client.setQueryData(sessionQuery.queryKey, null);
}

/** Moves the session to another of the person's organizations; what was read in the old one is forgotten. */
export async function switchOrganization(client: QueryClient, id: number): Promise<void> {
  const body = { organization: String(id) };
  const { data } = await call<Session>("PUT", apiPaths.ownOrganization, { body });
  client.setQueryData(sessionQuery.queryKey, data);
  await client.resetQueries({ predicate: ({ queryKey }) => queryKey[0] !== sessionQuery.queryKey[0] });
}
