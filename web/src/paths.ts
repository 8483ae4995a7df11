/** The only place that builds addresses: of the app's pages, and of the API. */
export const paths = {
  home: "/",
  domains: "/domains",
  setUp: "/set-up",
  signIn: "/sign-in",
} as const;

export const apiPaths = {
  authState: "/api/auth/state",
  setUp: "/api/auth/setup",
  signIn: "/api/auth/sign-in",
  signOut: "/api/auth/sign-out",
  me: "/api/auth/me",
  domains: "/api/domains",
  domain: (id: number) => `/api/domains/${id}`,
  events: "/api/events",
} as const;

/** Where to go after signing in: a path of this app, or the start page for anything else. */
export function safeReturnPath(path: string | undefined): string {
  return path?.startsWith("/") && !path.startsWith("//") && !path.includes("\\") ? path : paths.home;
}
