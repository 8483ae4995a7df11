import { lazyRouteComponent, type RouteComponent } from "@tanstack/react-router";
import { serverAnswers } from "../api/reach.ts";
import { loadPageTexts } from "../i18n/i18n.ts";
import type { PageTexts } from "../i18n/texts.ts";
import { UnreachablePage } from "./UnreachablePage.tsx";

/** What fetches each page, for `fetchPagesSoon`. */
const fetches: (() => Promise<unknown>)[] = [];
/** What the reader came for has been shown by then. */
const soonMs = 2_000;

/**
 * A page whose script and texts come when it is wanted, at the same time. The router reloads the app when a script
 * is missing, as after an update; while the server is away that would leave people with their browser's own error
 * page.
 */
export function lazyPage(
  texts: readonly (keyof PageTexts)[],
  script: () => Promise<RouteComponent>,
): RouteComponent {
  const fetchPage = async () => (await Promise.all([script(), loadPageTexts(...texts)]))[0];
  fetches.push(fetchPage);
  return lazyRouteComponent(async () => {
    try {
      return { default: await fetchPage() };
    } catch (error) {
      if (await serverAnswers()) throw error;
      return { default: UnreachablePage };
    }
  });
}

/** Fetches all pages a moment later, so that they are there when the server is not. */
export function fetchPagesSoon(): void {
  setTimeout(() => {
    for (const fetchPage of fetches) fetchPage().catch(() => undefined);
  }, soonMs);
}
