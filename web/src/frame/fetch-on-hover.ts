import type { AnyRouter } from "@tanstack/react-router";

/** Events that precede following a link, on any device. */
const signs = ["pointerover", "focusin", "touchstart"] as const;

/** Scripts and texts, but no data, of a page whose link is under the pointer or finger or has the focus. */
export function fetchPagesOnHover(router: AnyRouter, within: EventTarget = document): void {
  const fetched = new Set<string>();
  const fetchPage = ({ target }: Event): void => {
    const link = target instanceof Element ? target.closest<HTMLAnchorElement>("a[href]") : null;
    if (!link || link.origin !== location.origin || link.hasAttribute("download")) return;
    if (fetched.has(link.pathname)) return;
    fetched.add(link.pathname);
    for (const { routeId } of router.matchRoutes(link.pathname, {})) {
      const route = router.routesById[routeId];
      // Without it, it is fetched when the page is opened, which says what is wrong.
      if (route) Promise.resolve(router.loadRouteChunk(route)).catch(() => fetched.delete(link.pathname));
    }
  };
  for (const sign of signs) within.addEventListener(sign, fetchPage, { passive: true });
}
