import type { QueryClient } from "@tanstack/react-query";
import { type AnyRoute, createRoute } from "@tanstack/react-router";
import { windowQuery } from "./api/maintenance.ts";
import { requireNumber } from "./kinds/require-number.ts";
import { lazyPage } from "./pages/lazy-page.ts";
import { maintenanceSearch } from "./pages/maintenance/views.ts";

/** When monitors are worked on: the list and the calendar, and a form for what is planned. */
export function maintenancePages<const Parent extends AnyRoute>(getParentRoute: () => Parent) {
  return [
    createRoute({
      getParentRoute,
      path: "/maintenance",
      component: lazyPage(
        ["maintenance"],
        async () => (await import("./pages/maintenance/MaintenancePage.tsx")).MaintenancePage,
      ),
      validateSearch: maintenanceSearch,
    }),
    createRoute({
      getParentRoute,
      path: "/maintenance/new",
      component: lazyPage(
        ["maintenance", "forms"],
        async () => (await import("./pages/maintenance/WindowPages.tsx")).NewWindowPage,
      ),
    }),
    createRoute({
      getParentRoute,
      path: "/maintenance/$id",
      component: lazyPage(
        ["maintenance", "forms"],
        async () => (await import("./pages/maintenance/WindowPages.tsx")).WindowPage,
      ),
      loader: ({ context, params }) => {
        const { queryClient } = context as { queryClient: QueryClient };
        void queryClient.prefetchQuery(windowQuery(Number(requireNumber(params as { id: string }))));
      },
    }),
  ] as const;
}
