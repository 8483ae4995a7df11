import type { QueryClient } from "@tanstack/react-query";
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
  notFound,
  redirect,
} from "@tanstack/react-router";
import { defaultRange, domainQuery, type Range, ranges } from "./api/domain.ts";
import { type DomainSort, sortColumns } from "./api/domain-list.ts";
import { domainLimitsQuery } from "./api/domain-settings.ts";
import { prefetchOverview } from "./api/overview.ts";
import { authStateQuery, sessionQuery } from "./api/session.ts";
import { AppLayout } from "./components/AppLayout.tsx";
import { loadPageTexts } from "./i18n/page-texts.ts";
import { CrashPage } from "./pages/CrashPage.tsx";
import { type Filter, filters } from "./pages/domains/domain-view.ts";
import { fetchPagesSoon, lazyPage } from "./pages/lazy-page.ts";
import { NotFoundPage } from "./pages/NotFoundPage.tsx";
import { OverviewPage } from "./pages/OverviewPage.tsx";
import { PendingPage } from "./pages/PendingPage.tsx";
import { RootPage } from "./pages/RootPage.tsx";
import { SetUpPage } from "./pages/SetUpPage.tsx";
import { SignInPage } from "./pages/SignInPage.tsx";
import { paths } from "./paths.ts";

/** The app's table of contents: every address, who may see it, and the page that stands there. */
const root = createRootRouteWithContext<{ queryClient: QueryClient }>()({ component: RootPage });

const setUp = createRoute({
  getParentRoute: () => root,
  path: paths.setUp,
  component: SetUpPage,
  beforeLoad: async ({ context }) => {
    const state = await context.queryClient.fetchQuery(authStateQuery);
    if (!state.setupRequired) redirect({ to: paths.home, throw: true });
  },
});

const signIn = createRoute({
  getParentRoute: () => root,
  path: paths.signIn,
  component: SignInPage,
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
  component: lazyRouteComponent(() => import("./pages/StyleguidePage.tsx"), "StyleguidePage"),
  loader: () => void loadPageTexts("forms"),
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
  component: OverviewPage,
  // Everything that the page shows is asked for at the same time.
  loader: ({ context }) => prefetchOverview(context.queryClient),
});

const domains = createRoute({
  getParentRoute: () => app,
  path: paths.domains,
  component: lazyPage(() => import("./pages/DomainsPage.tsx"), "DomainsPage"),
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

/** Shared by the two pages with a domain's form: their texts come beside their script, not after it. */
const prefetchForm = (client: QueryClient) => {
  void client.prefetchQuery(domainLimitsQuery);
  void loadPageTexts("forms", "domainForm").catch(() => undefined);
};

const newDomain = createRoute({
  getParentRoute: () => app,
  path: paths.newDomain,
  component: lazyPage(() => import("./pages/domain-form/NewDomainPage.tsx"), "NewDomainPage"),
  validateSearch: (search): { url?: string } => ({
    url: typeof search.url === "string" && search.url !== "" ? search.url : undefined,
  }),
  loader: ({ context }) => prefetchForm(context.queryClient),
});

const editDomain = createRoute({
  getParentRoute: () => app,
  path: paths.editDomain,
  component: lazyPage(() => import("./pages/domain-form/EditDomainPage.tsx"), "EditDomainPage"),
  beforeLoad: ({ params }) => requireDomainNumber(params.id),
  loader: ({ context, params }) => {
    prefetchForm(context.queryClient);
    void context.queryClient.prefetchQuery(domainQuery(Number(params.id)));
  },
});

const domain = createRoute({
  getParentRoute: () => app,
  path: paths.domain,
  component: lazyPage(() => import("./pages/DomainPage.tsx"), "DomainPage"),
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
  component: lazyPage(() => import("./pages/ApiKeysPage.tsx"), "ApiKeysPage"),
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
