import { type AnyRoute, createRoute } from "@tanstack/react-router";
import { lazyPage } from "./frame/lazy-page.ts";

/** The pages of the settings without search parameters (settings/entries.ts). */
export function settingsPages<const Parent extends AnyRoute>(getParentRoute: () => Parent) {
  const settingsPage = <const Path extends string>(
    path: Path,
    ...[texts, script]: Parameters<typeof lazyPage>
  ) => createRoute({ getParentRoute, path, component: lazyPage(texts, script) });
  return [
    settingsPage(
      "/",
      ["settings"],
      async () => (await import("./settings/SettingsLayout.tsx")).SettingsIndex,
    ),
    settingsPage(
      "profile",
      ["settings/profile", "forms"],
      async () => (await import("./settings/profile/ProfilePage.tsx")).ProfilePage,
    ),
    settingsPage(
      "notifications",
      ["settings/notifications", "settings/channels", "settings/profile", "forms"],
      async () => (await import("./settings/notifications/NotificationsPage.tsx")).NotificationsPage,
    ),
    settingsPage(
      "organization",
      ["settings/organization"],
      async () => (await import("./settings/organization/OrganizationPage.tsx")).OrganizationPage,
    ),
    settingsPage(
      "channels",
      ["settings/channels"],
      async () => (await import("./settings/channels/ChannelsPage.tsx")).ChannelsPage,
    ),
    settingsPage(
      "channels/new",
      ["settings/channels", "settings/channels/form", "forms"],
      async () => (await import("./settings/channels/NewChannelPage.tsx")).NewChannelPage,
    ),
    settingsPage(
      "channels/$id",
      ["settings/channels", "settings/channels/form", "forms"],
      async () => (await import("./settings/channels/ChannelPage.tsx")).ChannelPage,
    ),
    settingsPage(
      "api-keys",
      ["settings/api-keys"],
      async () => (await import("./settings/api-keys/ApiKeysPage.tsx")).ApiKeysPage,
    ),
    settingsPage(
      "assistants",
      ["settings/assistants"],
      async () => (await import("./settings/assistants/AssistantsPage.tsx")).AssistantsPage,
    ),
    settingsPage(
      "integrations",
      ["settings/integrations"],
      async () => (await import("./settings/integrations/IntegrationsPage.tsx")).IntegrationsPage,
    ),
    settingsPage(
      "integrations/vercel",
      ["settings/integrations"],
      async () => (await import("./settings/integrations/VercelCallbackPage.tsx")).VercelCallbackPage,
    ),
    settingsPage(
      "integrations/$provider/$id",
      ["settings/integrations"],
      async () => (await import("./settings/integrations/AccountPage.tsx")).AccountPage,
    ),
  ] as const;
}
