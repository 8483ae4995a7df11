import "./styles/app.css";
import { QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { keepPreferences } from "./api/preferences.ts";
import { createQueryClient } from "./api/queries.ts";
import { forgetSession } from "./api/session.ts";
import { keepViews } from "./api/stored-view.ts";
import { fetchPagesOnHover } from "./frame/fetch-on-hover.ts";
import { startTranslations } from "./i18n/i18n.ts";
import { createAppRouter } from "./routes.tsx";

await startTranslations();

const queryClient = createQueryClient(() => void returnToSignIn());
keepPreferences(queryClient);
const router: ReturnType<typeof createAppRouter> = createAppRouter(queryClient);
keepViews(queryClient);
keepAppForOffline();

// The page's own script and texts are loaded while the session is requested.
const shown = new Set<string>(router.matchRoutes(router.latestLocation).map(({ routeId }) => routeId));
for (const route of Object.values(router.routesById))
  if (shown.has(route.id)) void router.loadRouteChunk(route);
fetchPagesOnHover(router);

/**
 * Sign in again, and come back here. Not outside of the frame: the code behind the # of a mailed link must
 * not get into the part of an address that is sent.
 */
async function returnToSignIn(): Promise<void> {
  const { latestLocation } = router;
  forgetSession(queryClient);
  if (!router.matchRoutes(latestLocation).some(({ routeId }) => routeId === "/app")) return;
  const from = latestLocation.href;
  await router.navigate({ to: "/sign-in", search: { from, ended: true } });
}

const container = document.getElementById("app");
if (!container) throw new Error("index.html lacks the element with the id app");
createRoot(container).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  </StrictMode>,
);

/** By a service worker (public/offline.js), for when the server is away. Over HTTPS and on localhost only. */
function keepAppForOffline(): void {
  if (!import.meta.env.PROD || !("serviceWorker" in navigator)) return;
  void start().catch(() => undefined);
}

async function start(): Promise<void> {
  await navigator.serviceWorker.register("/offline.js");
  const { active } = await navigator.serviceWorker.ready;
  // Those that were loaded before the worker was there, and every one that comes later.
  new PerformanceObserver((list) => {
    const paths = list.getEntries().map(({ name }) => new URL(name).pathname);
    active?.postMessage({ keep: paths.filter((path) => path.startsWith("/assets/")) }, []);
  }).observe({ type: "resource", buffered: true });
}
