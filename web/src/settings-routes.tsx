import { type AnyRoute, createRoute } from "@tanstack/react-router";
import { readAuditSearch } from "./api/audit-search.ts";
import { lazyPage } from "./pages/lazy-page.ts";

/** The settings' pages beside their list (pages/settings/entries.ts), or the list alone. */
export function settingsPages<const Parent extends AnyRoute>(getParentRoute: () => Parent) {
  const settings = createRoute({
    getParentRoute,
    path: "/settings",
    component: lazyPage(
      ["settings"],
      async () => (await import("./pages/settings/SettingsLayout.tsx")).SettingsLayout,
    ),
  });
  /** A page of the settings that is asked for nothing but its address. */
  const settingsPage = <const Path extends string>(
    path: Path,
    ...[texts, script]: Parameters<typeof lazyPage>
  ) => createRoute({ getParentRoute: () => settings, path, component: lazyPage(texts, script) });
  return settings.addChildren([
    settingsPage(
      "/",
      ["settings"],
      async () => (await import("./pages/settings/SettingsLayout.tsx")).SettingsIndex,
    ),
    settingsPage(
      "profile",
      ["settings/profile", "forms"],
      async () => (await import("./pages/settings/profile/ProfilePage.tsx")).ProfilePage,
    ),
    settingsPage(
      "notifications",
      ["settings/notifications", "settings/channels", "settings/profile", "forms"],
      async () => (await import("./pages/settings/notifications/NotificationsPage.tsx")).NotificationsPage,
    ),
    settingsPage(
      "organization",
      ["settings/organization"],
      async () => (await import("./pages/settings/organization/OrganizationPage.tsx")).OrganizationPage,
    ),
    createRoute({
      getParentRoute: () => settings,
      path: "audit-log",
      component: lazyPage(
        ["settings/audit-log", "settings/organization", "list"],
        async () => (await import("./pages/settings/audit-log/AuditLogPage.tsx")).AuditLogPage,
      ),
      validateSearch: readAuditSearch,
    }),
    settingsPage(
      "channels",
      ["settings/channels"],
      async () => (await import("./pages/settings/channels/ChannelsPage.tsx")).ChannelsPage,
    ),
    settingsPage(
      "channels/new",
      ["settings/channels", "settings/channels/form", "forms"],
      async () => (await import("./pages/settings/channels/NewChannelPage.tsx")).NewChannelPage,
    ),
    settingsPage(
      "channels/$id",
      ["settings/channels", "settings/channels/form", "forms"],
      async () => (await import("./pages/settings/channels/ChannelPage.tsx")).ChannelPage,
    ),
    settingsPage(
      "api-keys",
      ["settings/api-keys"],
      async () => (await import("./pages/settings/api-keys/ApiKeysPage.tsx")).ApiKeysPage,
    ),
    settingsPage(
      "assistants",
      ["settings/assistants"],
      async () => (await import("./pages/settings/assistants/AssistantsPage.tsx")).AssistantsPage,
    ),
  ]);
}
