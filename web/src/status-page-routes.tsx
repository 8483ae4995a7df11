import type { QueryClient } from "@tanstack/react-query";
import { type AnyRoute, createRoute } from "@tanstack/react-router";
import { statusPageQuery } from "./api/status-pages.ts";
import { lazyPage } from "./frame/lazy-page.ts";
import { requireNumber } from "./monitors/search.ts";
import { readPagesSearch, readPart, readTemplateSearch } from "./status-pages/search.ts";

const templateTexts = ["status-pages/templates", "status-pages", "forms"] as const;

/** What the world sees: the list of status pages, the editor of one, and the templates of updates. */
export function statusPagePages<const Parent extends AnyRoute>(getParentRoute: () => Parent) {
  return [
    createRoute({
      getParentRoute,
      path: "/status-pages",
      component: lazyPage(
        ["status-pages", "list"],
        async () => (await import("./status-pages/StatusPagesPage.tsx")).StatusPagesPage,
      ),
      validateSearch: readPagesSearch,
    }),
    createRoute({
      getParentRoute,
      path: "/status-pages/templates",
      component: lazyPage(
        templateTexts,
        async () => (await import("./status-pages/templates/TemplatesPage.tsx")).TemplatesPage,
      ),
    }),
    createRoute({
      getParentRoute,
      path: "/status-pages/templates/new",
      component: lazyPage(
        templateTexts,
        async () => (await import("./status-pages/templates/TemplatePages.tsx")).NewTemplatePage,
      ),
      validateSearch: readTemplateSearch,
    }),
    createRoute({
      getParentRoute,
      path: "/status-pages/templates/$id",
      component: lazyPage(
        templateTexts,
        async () => (await import("./status-pages/templates/TemplatePages.tsx")).TemplatePage,
      ),
      loader: ({ params }) => void requireNumber(params as { id: string }),
    }),
    createRoute({
      getParentRoute,
      path: "/status-pages/$id",
      component: lazyPage(
        ["status-pages", "status-pages/editor", "forms", "list"],
        async () => (await import("./status-pages/editor/StatusPagePage.tsx")).StatusPagePage,
      ),
      validateSearch: readPart,
      loader: ({ context, params }) => {
        const { queryClient } = context as { queryClient: QueryClient };
        void queryClient.prefetchQuery(statusPageQuery(Number(requireNumber(params as { id: string }))));
      },
    }),
  ] as const;
}
