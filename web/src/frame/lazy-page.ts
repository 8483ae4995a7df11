import { lazyRouteComponent, type RouteComponent } from "@tanstack/react-router";
import { serverAnswers } from "../api/client.ts";
import { loadPageTexts } from "../i18n/i18n.ts";
import type { PageTexts } from "../i18n/texts.ts";
import { UnreachablePage } from "./MessagePages.tsx";

/**
 * Script and texts load on demand, together. The router reloads the app for a missing script, as after an
 * update; while the server is away that would show the browser's own error page.
 */
export function lazyPage(
  texts: readonly (keyof PageTexts)[],
  script: () => Promise<RouteComponent>,
): RouteComponent {
  const fetchPage = async () => (await Promise.all([script(), loadPageTexts(...texts)]))[0];
  return lazyRouteComponent(async () => {
    try {
      return { default: await fetchPage() };
    } catch (error) {
      if (await serverAnswers()) throw error;
      return { default: UnreachablePage };
    }
  });
}
