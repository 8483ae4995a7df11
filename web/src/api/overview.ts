import { type QueryClient, queryOptions } from "@tanstack/react-query";
import type { projectActivity } from "../../../server/src/wire/dashboard.ts";
import { monitorKinds } from "../kinds/kinds.ts";
import { apiPaths } from "../paths.ts";
import { call } from "./client.ts";
import { invitationsQuery } from "./invitations.ts";
import { listKeys } from "./monitor-keys.ts";
import { type Domain, readPage, statsQuery } from "./monitor-list.ts";

const { domain } = monitorKinds;

/** One change of a status: `previousStatus` to `status`, when it was confirmed. */
export type Activity = ReturnType<typeof projectActivity>;

/** What the overview has room for. */
const troublesShown = { down: 8, degraded: 4 } as const;
const certificatesShown = 4;
export const activityShown = 12;
/** More than there is room for, because many that happened at once are told in one line. */
export const activityRead = 60;

/** Live events bring what changes; this is for what moves by itself, as days do. */
const figuresAgeMs = 60_000;

/** Stretches of the list under its own name: live events change and renew them as they do the list's. */
const listQuery = (name: string, view: Omit<Parameters<typeof readPage>[1], "search">, limit: number) =>
  queryOptions({
    queryKey: [...listKeys.pages(domain.id), "overview", name],
    refetchInterval: figuresAgeMs,
    queryFn: ({ signal }) => readPage<Domain>(domain, { ...view, search: "" }, 0, limit, signal),
  });

/** The domains that are in a state nobody wants, the newest trouble first. */
export const troubleQuery = (state: "down" | "degraded") =>
  listQuery(state, { state, sort: "-statusSince" }, troublesShown[state]);

/** The domains whose certificates end next; those without one stand last. */
export const certificatesQuery = listQuery(
  "certificates",
  { state: undefined, sort: "certificate" },
  certificatesShown,
);

/** The last changes of status, newest first. */
export const activityQuery = queryOptions({
  queryKey: [...listKeys.every(domain.id), "activity"],
  refetchInterval: figuresAgeMs,
  queryFn: async ({ signal }) => {
    const query = { type: "status", limit: activityRead };
    return (await call<Activity[]>("GET", apiPaths.recentActivity, { query, signal })).data;
  },
});

/** Asks for everything on the page that is not known yet, at the same time. */
export function prefetchOverview(client: QueryClient): void {
  const lists = [troubleQuery("down"), troubleQuery("degraded"), certificatesQuery];
  for (const query of lists) void client.prefetchQuery(query);
  void client.prefetchQuery(statsQuery(domain));
  void client.prefetchQuery(activityQuery);
  void client.prefetchQuery(invitationsQuery);
}
