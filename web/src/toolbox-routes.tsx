import { type AnyRoute, createRoute } from "@tanstack/react-router";
import { lazyPage } from "./frame/lazy-page.ts";
import { toolSearch } from "./toolbox/tool-search.ts";

/** Network tools; the address says which one, and what it was asked. */
export function toolboxPages<const Parent extends AnyRoute>(getParentRoute: () => Parent) {
  return [
    createRoute({
      getParentRoute,
      path: "/toolbox",
      component: lazyPage(["toolbox"], async () => (await import("./toolbox/ToolboxPage.tsx")).ToolboxPage),
      validateSearch: toolSearch,
    }),
  ] as const;
}
