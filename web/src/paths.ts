/** The only place that builds addresses: of the app's pages, and of the API. */
export const paths = {
  home: "/",
  domains: "/domains",
  newDomain: "/domains/new",
  domain: "/domains/$id",
  editDomain: "/domains/$id/edit",
  apiKeys: "/settings/api-keys",
  setUp: "/set-up",
  signIn: "/sign-in",
  styleguide: "/styleguide",
} as const;

export const apiPaths = {
  authState: "/api/auth/state",
  setUp: "/api/auth/setup",
  signIn: "/api/auth/sign-in",
  signOut: "/api/auth/sign-out",
  me: "/api/auth/me",
  ownOrganization: "/api/auth/organization",
  invitations: "/api/invitations",
  acceptInvitation: (id: number) => `/api/invitations/${id}/accept`,
  declineInvitation: (id: number) => `/api/invitations/${id}/decline`,
  domains: "/api/domains",
  domainStats: "/api/domains/stats",
  domainBulk: "/api/domains/bulk",
  domainLimits: "/api/domains/limits",
  domain: (id: number) => `/api/domains/${id}`,
  domainSummary: (id: number) => `/api/domains/${id}/summary`,
  domainHistory: (id: number) => `/api/domains/${id}/monitoring/history`,
  domainLocations: (id: number) => `/api/domains/${id}/monitoring/locations`,
  domainDays: (id: number) => `/api/domains/${id}/monitoring/days`,
  domainPhases: (id: number) => `/api/domains/${id}/monitoring/phases`,
  recentActivity: "/api/dashboard/recent-activity",
  apiKeys: "/api/api-keys",
  apiKey: (id: number) => `/api/api-keys/${id}`,
  /** The live stream; from now on where `lastEventId` is empty. */
  eventsAfter: (lastEventId: string) =>
    lastEventId === "" ? "/api/events" : `/api/events?lastEventId=${encodeURIComponent(lastEventId)}`,
  health: "/api/health",
} as const;

/** The page of one domain, for links that are not worth a router's subscription each. */
export const domainPath = (id: number): string => paths.domain.replace("$id", String(id));

/** Where to go after signing in: a path of this app, or the start page for anything else. */
export function safeReturnPath(path: string | undefined): string {
  return path?.startsWith("/") && !path.startsWith("//") && !path.includes("\\") ? path : paths.home;
}
