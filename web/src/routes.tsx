import type { QueryClient } from "@tanstack/react-query";
import { type AnyRoute, createRoute, createRouter, redirect } from "@tanstack/react-router";
import { readAuditSearch } from "./api/audit-search.ts";
import { incidentQuery } from "./api/incidents.ts";
import { windowQuery } from "./api/maintenance.ts";
import { monitorQuery } from "./api/monitor.ts";
import { limitsQuery } from "./api/monitor-settings.ts";
import { prefetchOverview } from "./api/overview.ts";
import { languageFollowed } from "./api/preferences.ts";
import { openSession } from "./api/stored-view.ts";
import { Frame } from "./frame/Frame.tsx";
import { lazyPage } from "./frame/lazy-page.ts";
import { CrashPage, NotFoundPage, PendingPage } from "./frame/MessagePages.tsx";
import { incidentSearch } from "./incidents/incident-search.ts";
import { type MonitorKind, monitorKinds } from "./kinds.ts";
import { maintenanceSearch } from "./maintenance/views.ts";
import { listSearch, pageSearch, requireNumber } from "./monitors/search.ts";
import { reportSearch } from "./reports/report-search.ts";
import { settingsPages } from "./settings-routes.tsx";
import { publicPages, root, sendNewcomersToSetUp } from "./signed-out-routes.tsx";
import { statusPagePages } from "./status-page-routes.tsx";
import { toolSearch } from "./toolbox/tool-search.ts";

/*
 * Every address, who may see it, and its page. Others: signed-out-routes.tsx, status-page-routes.tsx,
 * settings-routes.tsx.
 */

/** Everything inside needs a session. */
const app = createRoute({
  getParentRoute: () => root,
  id: "app",
  component: Frame,
  beforeLoad: async ({ context, location }) => {
    if (await openSession(context.queryClient)) return languageFollowed();
    await sendNewcomersToSetUp(context.queryClient);
    const from = location.href === "/" ? undefined : location.href;
    redirect({ to: "/sign-in", search: { from }, throw: true });
  },
});

const overview = createRoute({
  getParentRoute: () => app,
  path: "/",
  component: lazyPage(
    ["overview", "monitors", "monitors/domain", "monitors/service", "monitors/device"],
    async () => (await import("./overview/OverviewPage.tsx")).OverviewPage,
  ),
  // Everything that the page shows is requested at the same time.
  loader: ({ context }) => prefetchOverview(context.queryClient),
});

const nowhere = createRoute({ getParentRoute: () => app, path: "$", component: NotFoundPage });

const importing = createRoute({
  getParentRoute: () => app,
  path: "/import",
  component: lazyPage(
    [
      "monitors/import",
      "monitors/service",
      "monitors",
      "monitors/form",
      "monitors/domain/form",
      "monitors/service/form",
    ],
    async () => (await import("./monitors/import/ImportPage.tsx")).ImportPage,
  ),
});

/** The settings' pages beside their list, or the list alone. */
const settings = createRoute({
  getParentRoute: () => app,
  path: "/settings",
  component: lazyPage(
    ["settings"],
    async () => (await import("./settings/SettingsLayout.tsx")).SettingsLayout,
  ),
});

const auditLog = createRoute({
  getParentRoute: () => settings,
  path: "audit-log",
  component: lazyPage(
    ["settings/audit-log", "settings/organization", "list"],
    async () => (await import("./settings/audit-log/AuditLogPage.tsx")).AuditLogPage,
  ),
  validateSearch: readAuditSearch,
});

function monitorPages<const Kind extends MonitorKind>(
  kind: Kind,
  scripts: Record<keyof Kind["pages"], Parameters<typeof lazyPage>[1]>,
) {
  const texts = ["monitors", "list", kind.texts] as const;
  const formTexts = [...texts, "forms", "monitors/form", "monitors/domain/form", kind.formTexts] as const;
  const prefetchOne = (client: QueryClient, id: string) =>
    void client.prefetchQuery(monitorQuery(kind, Number(id)));
  const prefetchLimits = (client: QueryClient) => void client.prefetchQuery(limitsQuery);
  return [
    createRoute({
      getParentRoute: () => app,
      path: kind.pages.list as Kind["pages"]["list"],
      component: lazyPage(texts, scripts.list),
      validateSearch: listSearch,
    }),
    createRoute({
      getParentRoute: () => app,
      path: kind.pages.add as Kind["pages"]["add"],
      component: lazyPage(formTexts, scripts.add),
      validateSearch: (search): { url?: string } => ({
        url: typeof search.url === "string" && search.url !== "" ? search.url : undefined,
      }),
      loader: ({ context }) => prefetchLimits(context.queryClient),
    }),
    createRoute({
      getParentRoute: () => app,
      path: kind.pages.edit as Kind["pages"]["edit"],
      component: lazyPage(formTexts, scripts.edit),
      loader: ({ context, params }) => {
        prefetchLimits(context.queryClient);
        prefetchOne(context.queryClient, requireNumber(params));
      },
    }),
    createRoute({
      getParentRoute: () => app,
      path: kind.pages.one as Kind["pages"]["one"],
      component: lazyPage(texts, scripts.one),
      validateSearch: pageSearch,
      // While the page's own script is still on its way.
      loader: ({ context, params }) => prefetchOne(context.queryClient, requireNumber(params)),
    }),
  ] as const;
}

const incidents = createRoute({
  getParentRoute: () => app,
  path: "/incidents",
  component: lazyPage(
    ["incidents", "list", "forms"],
    async () => (await import("./incidents/IncidentsPage.tsx")).IncidentsPage,
  ),
  validateSearch: incidentSearch,
});

const incident = createRoute({
  getParentRoute: () => app,
  path: "/incidents/$id",
  component: lazyPage(
    ["incidents", "forms", "monitors/device"],
    async () => (await import("./incidents/IncidentPage.tsx")).IncidentPage,
  ),
  loader: ({ context, params }) =>
    void context.queryClient.prefetchQuery(incidentQuery(Number(requireNumber(params)))),
});

/** The router over these routes; `queryClient` is what their guards read with. */
export function createAppRouter(queryClient: QueryClient) {
  return createRouter({
    routeTree: root.addChildren([
      ...publicPages,
      app.addChildren([
        overview,
        ...monitorPages(monitorKinds.domain, {
          list: async () => (await import("./monitors/domain/DomainsPage.tsx")).DomainsPage,
          one: async () => (await import("./monitors/domain/DomainPage.tsx")).DomainPage,
          add: async () => (await import("./monitors/domain/DomainForms.tsx")).NewDomainPage,
          edit: async () => (await import("./monitors/domain/DomainForms.tsx")).EditDomainPage,
        }),
        ...monitorPages(monitorKinds.service, {
          list: async () => (await import("./monitors/service/ServicesPage.tsx")).ServicesPage,
          one: async () => (await import("./monitors/service/ServicePage.tsx")).ServicePage,
          add: async () => (await import("./monitors/service/ServiceForms.tsx")).NewServicePage,
          edit: async () => (await import("./monitors/service/ServiceForms.tsx")).EditServicePage,
        }),
        ...monitorPages(monitorKinds.device, {
          list: async () => (await import("./monitors/device/DevicesPage.tsx")).DevicesPage,
          one: async () => (await import("./monitors/device/DevicePage.tsx")).DevicePage,
          add: async () => (await import("./monitors/device/DevicesPage.tsx")).NewDevicePage,
          edit: async () => (await import("./monitors/device/EditDevicePage.tsx")).EditDevicePage,
        }),
        incidents,
        incident,
        ...maintenancePages(() => app),
        ...statusPagePages(() => app),
        ...reportPages(() => app),
        importing,
        ...toolboxPages(() => app),
        settings.addChildren([...settingsPages(() => settings), auditLog]),
        nowhere,
      ]),
    ]),
    context: { queryClient },
    defaultPendingComponent: PendingPage,
    defaultPendingMs: 300,
    defaultErrorComponent: CrashPage,
    defaultNotFoundComponent: NotFoundPage,
    scrollRestoration: true,
  });
}

declare module "@tanstack/react-router" {
  interface Register {
    router: ReturnType<typeof createAppRouter>;
  }
}

function maintenancePages<const Parent extends AnyRoute>(getParentRoute: () => Parent) {
  return [
    createRoute({
      getParentRoute,
      path: "/maintenance",
      component: lazyPage(
        ["maintenance"],
        async () => (await import("./maintenance/MaintenancePage.tsx")).MaintenancePage,
      ),
      validateSearch: maintenanceSearch,
    }),
    createRoute({
      getParentRoute,
      path: "/maintenance/new",
      component: lazyPage(
        ["maintenance", "forms"],
        async () => (await import("./maintenance/WindowPages.tsx")).NewWindowPage,
      ),
    }),
    createRoute({
      getParentRoute,
      path: "/maintenance/$id",
      component: lazyPage(
        ["maintenance", "forms"],
        async () => (await import("./maintenance/WindowPages.tsx")).WindowPage,
      ),
      loader: ({ context, params }) => {
        const { queryClient } = context as { queryClient: QueryClient };
        void queryClient.prefetchQuery(windowQuery(Number(requireNumber(params as { id: string }))));
      },
    }),
  ] as const;
}

function reportPages<const Parent extends AnyRoute>(getParentRoute: () => Parent) {
  return [
    createRoute({
      getParentRoute,
      path: "/reports",
      component: lazyPage(["reports"], async () => (await import("./reports/ReportsPage.tsx")).ReportsPage),
      validateSearch: reportSearch,
    }),
  ] as const;
}

function toolboxPages<const Parent extends AnyRoute>(getParentRoute: () => Parent) {
  return [
    createRoute({
      getParentRoute,
      path: "/toolbox",
      component: lazyPage(["toolbox"], async () => (await import("./toolbox/ToolboxPage.tsx")).ToolboxPage),
      validateSearch: toolSearch,
    }),
  ] as const;
}
