import { type AnyRoute, createRoute } from "@tanstack/react-router";
import { lazyPage } from "./frame/lazy-page.ts";
import { reportSearch } from "./reports/report-search.ts";

/** What was up, how fast, and what happened; the address says of what and of when. */
export function reportPages<const Parent extends AnyRoute>(getParentRoute: () => Parent) {
  return [
    createRoute({
      getParentRoute,
      path: "/reports",
      component: lazyPage(["reports"], async () => (await import("./reports/ReportsPage.tsx")).ReportsPage),
      validateSearch: reportSearch,
    }),
  ] as const;
}
