import type { QueryClient } from "@tanstack/react-query";
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  notFound,
  redirect,
} from "@tanstack/react-router";
import { defaultRange, domainQuery, type Range, ranges } from "./api/domain.ts";
import { type DomainSort, sortColumns } from "./api/domain-list.ts";
import { domainLimitsQuery } from "./api/domain-settings.ts";
import { prefetchOverview } from "./api/overview.ts";
import { authStateQuery, sessionQuery } from "./api/session.ts";
import { AppLayout } from "./components/AppLayout.tsx";
import { CrashPage } from "./pages/CrashPage.tsx";
import { type Filter, filters } from "./pages/domains/domain-view.ts";
import { fetchPagesSoon, lazyPage } from "./pages/lazy-page.ts";
import { NotFoundPage } from "./pages/NotFoundPage.tsx";
import { PendingPage } from "./pages/PendingPage.tsx";
import { RootPage } from "./pages/RootPage.tsx";
import { paths } from "./paths.ts";

/** The app's table of contents: every address, who may see it, and the page that stands there. */
const root = createRootRouteWithContext<{ queryClient: QueryClient }>()({ component: RootPage });

const setUp = createRoute({
  getParentRoute: () => root,
  path: paths.setUp,
  component: lazyPage(["set-up"], async () => (await import("./pages/set-up/SetUpPage.tsx")).SetUpPage),
  beforeLoad: async ({ context }) => {
    const state = await context.queryClient.fetchQuery(authStateQuery);
    if (!state.setupRequired) redirect({ to: paths.home, throw: true });
  },
});

const signIn = createRoute({
  getParentRoute: () => root,
  path: paths.signIn,
  component: lazyPage(["sign-in"], async () => (await import("./pages/sign-in/SignInPage.tsx")).SignInPage),
  validateSearch: (search): { from?: string; ended?: true } => ({
    from: typeof search.from === "string" ? search.from : undefined,
    ended: search.ended ? true : undefined,
  }),
  beforeLoad: ({ context }) => sendNewcomersToSetUp(context.queryClient),
});

/** For people who build the app; no page leads there. */
const styleguide = createRoute({
  getParentRoute: () => root,
  path: paths.styleguide,
  component: lazyPage(
    ["forms", "monitor"],
    async () => (await import("./pages/styleguide/StyleguidePage.tsx")).StyleguidePage,
  ),
});

/** Everything inside needs a session. */
const app = createRoute({
  getParentRoute: () => root,
  id: "app",
  component: AppLayout,
  onEnter: fetchPagesSoon,
  beforeLoad: async ({ context, location }) => {
    if (await context.queryClient.ensureQueryData(sessionQuery)) return;
    await sendNewcomersToSetUp(context.queryClient);
    const from = location.href === paths.home ? undefined : location.href;
    redirect({ to: paths.signIn, search: { from }, throw: true });
  },
});

const overview = createRoute({
  getParentRoute: () => app,
  path: paths.home,
  component: lazyPage(
    ["overview", "monitor", "kinds/domain"],
    async () => (await import("./pages/overview/OverviewPage.tsx")).OverviewPage,
  ),
  // Everything that the page shows is asked for at the same time.
  loader: ({ context }) => prefetchOverview(context.queryClient),
});

const domains = createRoute({
  getParentRoute: () => app,
  path: paths.domains,
  component: lazyPage(
    ["monitor", "kinds/domain"],
    async () => (await import("./pages/domains/DomainsPage.tsx")).DomainsPage,
  ),
  validateSearch: (search): { show?: Filter; q?: string; sort?: DomainSort } => ({
    show: filters.find((name) => name === search.show && name !== "all"),
    // The router reads `?q=404` as a number.
    q:
      typeof search.q === "string" || typeof search.q === "number"
        ? String(search.q) || undefined
        : undefined,
    sort: sortColumns
      .flatMap((name): DomainSort[] => [name, `-${name}`])
      .find((name) => name === search.sort && name !== "status"),
  }),
});

const formTexts = ["forms", "monitor/form", "kinds/domain", "kinds/domain/form"] as const;

const newDomain = createRoute({
  getParentRoute: () => app,
  path: paths.newDomain,
  component: lazyPage(
    formTexts,
    async () => (await import("./pages/domain-form/NewDomainPage.tsx")).NewDomainPage,
  ),
  validateSearch: (search): { url?: string } => ({
    url: typeof search.url === "string" && search.url !== "" ? search.url : undefined,
  }),
  loader: ({ context }) => void context.queryClient.prefetchQuery(domainLimitsQuery),
});

const editDomain = createRoute({
  getParentRoute: () => app,
  path: paths.editDomain,
  component: lazyPage(
    formTexts,
    async () => (await import("./pages/domain-form/EditDomainPage.tsx")).EditDomainPage,
  ),
  beforeLoad: ({ params }) => requireDomainNumber(params.id),
  loader: ({ context, params }) => {
    void context.queryClient.prefetchQuery(domainLimitsQuery);
    void context.queryClient.prefetchQuery(domainQuery(Number(params.id)));
  },
});

const domain = createRoute({
  getParentRoute: () => app,
  path: paths.domain,
  component: lazyPage(
    ["monitor", "kinds/domain"],
    async () => (await import("./pages/domain/DomainPage.tsx")).DomainPage,
  ),
  validateSearch: (search): { range?: Range } => ({
    range: ranges.find((name) => name === search.range && name !== defaultRange),
  }),
  beforeLoad: ({ params }) => requireDomainNumber(params.id),
  // While the page's own script is still on its way.
  loader: ({ context, params }) => void context.queryClient.prefetchQuery(domainQuery(Number(params.id))),
});

const apiKeys = createRoute({
  getParentRoute: () => app,
  path: paths.apiKeys,
  component: lazyPage(
    ["api-keys"],
    async () => (await import("./pages/api-keys/ApiKeysPage.tsx")).ApiKeysPage,
  ),
});

function requireDomainNumber(id: string): void {
  if (!/^[1-9]\d{0,14}$/.test(id)) notFound({ throw: true });
}

async function sendNewcomersToSetUp(queryClient: QueryClient): Promise<void> {
  const state = await queryClient.fetchQuery(authStateQuery);
  if (state.setupRequired) redirect({ to: paths.setUp, throw: true });
}

/** The router over these routes; `queryClient` is what their guards read with. */
export function createAppRouter(queryClient: QueryClient) {
  return createRouter({
    routeTree: root.addChildren([
      setUp,
      signIn,
      styleguide,
      app.addChildren([overview, domains, newDomain, domain, editDomain, apiKeys]),
    ]),
    context: { queryClient },
    defaultPendingComponent: PendingPage,
    defaultPendingMs: 300,
    defaultErrorComponent: CrashPage,
    defaultNotFoundComponent: NotFoundPage,
    scrollRestoration: true,
  });
}

export type AppRouter = ReturnType<typeof createAppRouter>;

declare module "@tanstack/react-router" {
  interface Register {
    router: AppRouter;
  }
}
