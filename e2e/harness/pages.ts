import type { Numbers } from "./company.ts";
import { devicePages } from "./device-pages.ts";
import { incidentPages } from "./incident-pages.ts";
import { maintenancePages } from "./maintenance-pages.ts";
import { monitorPages } from "./monitor-pages.ts";
import type { AppPage, Controls } from "./page-shapes.ts";
import { reportPages } from "./report-pages.ts";
import { settingsPages } from "./settings-pages.ts";
import { statusPagePages } from "./status-page-pages.ts";
import { toolboxPages } from "./toolbox-pages.ts";

/**
 * Every page behind the sign-in. The roles are those of shared decisions, not of the code: a viewer only looks, a member
 * changes what is watched and makes keys, an admin runs the organization, and an owner owns it.
 */
export const appPages: readonly AppPage[] = [
  ...monitorPages,
  ...devicePages,
  ...incidentPages,
  ...maintenancePages,
  ...statusPagePages,
  ...reportPages,
  ...toolboxPages,
  ...settingsPages,
  {
    path: "/$",
    readsNothing: true,
    at: () => "/nowhere",
    ready: "link: Go to domains",
    controls: { viewer: ["link Go to domains"] },
  },
];

/** The frame around each of them. */
export const frameControls: Controls = {
  viewer: [
    "button Organization: Northwind",
    "button Search",
    "link Overview",
    "link Domains*",
    "link Services*",
    "link Devices*",
    "link Incidents*",
    "link Maintenance",
    "link Status pages",
    "link Reports",
    "link Toolbox",
    "button Assistant",
    "button Notifications*",
    "link Settings",
    "button Collapse sidebar",
    "button Account: *",
  ],
};

/** What has tests of its own alone: set-up, and the page for those who build the app. */
export const apart: readonly string[] = ["/set-up", "/styleguide"];

/** Where a page is. */
export const addressOf = ({ path, at }: Pick<AppPage, "path" | "at">, ids: Numbers): string =>
  at?.(ids) ?? path;

/** Pages that two keys lead to. */
export const keyed = appPages.flatMap(({ path, key }) => (key === undefined ? [] : [{ path, key }]));
