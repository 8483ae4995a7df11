import { lazyRouteComponent, type RouteComponent } from "@tanstack/react-router";
import { serverAnswers } from "../api/reach.ts";
import { UnreachablePage } from "./UnreachablePage.tsx";

/** The scripts of every page that is not the first, fetched by `fetchPagesSoon`. */
const scripts: (() => Promise<unknown>)[] = [];
/** What the reader came for has been shown by then. */
const soonMs = 2_000;

/**
 * A page whose script comes when it is wanted. The router reloads the app when a script is missing, as after
 * an update; while the server is away that would leave people with their browser's own error page.
 */
export function lazyPage<Name extends string>(
  script: () => Promise<Record<Name, RouteComponent>>,
  name: Name,
): RouteComponent {
  scripts.push(script);
  const load = async (): Promise<Record<string, RouteComponent>> => {
    try {
      return await script();
    } catch (error) {
      if (await serverAnswers()) throw error;
      return { [name]: UnreachablePage };
    }
  };
  return lazyRouteComponent(load, name);
}

/** Fetches the scripts of all pages a moment later, so that they are there when the server is not. */
export function fetchPagesSoon(): void {
  setTimeout(() => {
    for (const script of scripts) script().catch(() => undefined);
  }, soonMs);
}
