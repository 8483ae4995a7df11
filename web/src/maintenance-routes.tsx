import type { QueryClient } from "@tanstack/react-query";
import { type AnyRoute, createRoute } from "@tanstack/react-router";
import { windowQuery } from "./api/maintenance.ts";
import { lazyPage } from "./frame/lazy-page.ts";
import { maintenanceSearch } from "./maintenance/views.ts";
import { requireNumber } from "./monitors/require-number.ts";

/** When monitors are worked on: the list and the calendar, and a form for what is planned. */
export function maintenancePages<const Parent extends AnyRoute>(getParentRoute: () => Parent) {
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
