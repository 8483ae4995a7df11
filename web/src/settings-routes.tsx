import { type AnyRoute, createRoute } from "@tanstack/react-router";
import { lazyPage } from "./pages/lazy-page.ts";

/** Settings that lead outside: channels, and accounts at other systems. */
export function settingsPages<const Parent extends AnyRoute>(getParentRoute: () => Parent) {
  return [
    createRoute({
      getParentRoute,
      path: "channels",
      component: lazyPage(
        ["settings/channels"],
        async () => (await import("./pages/settings/channels/ChannelsPage.tsx")).ChannelsPage,
      ),
    }),
    createRoute({
      getParentRoute,
      path: "channels/new",
      component: lazyPage(
        ["settings/channels", "settings/channels/form", "forms"],
        async () => (await import("./pages/settings/channels/NewChannelPage.tsx")).NewChannelPage,
      ),
    }),
    createRoute({
      getParentRoute,
      path: "channels/$id",
      component: lazyPage(
        ["settings/channels", "settings/channels/form", "forms"],
        async () => (await import("./pages/settings/channels/ChannelPage.tsx")).ChannelPage,
      ),
    }),
    createRoute({
      getParentRoute,
      path: "integrations",
      component: lazyPage(
        ["settings/integrations"],
        async () => (await import("./pages/settings/integrations/IntegrationsPage.tsx")).IntegrationsPage,
      ),
    }),
    createRoute({
      getParentRoute,
      path: "integrations/vercel",
      component: lazyPage(
        ["settings/integrations"],
        async () => (await import("./pages/settings/integrations/VercelCallbackPage.tsx")).VercelCallbackPage,
      ),
    }),
    createRoute({
      getParentRoute,
      path: "integrations/$provider/$id",
      component: lazyPage(
        ["settings/integrations"],
        async () => (await import("./pages/settings/integrations/AccountPage.tsx")).AccountPage,
      ),
    }),
  ] as const;
}
