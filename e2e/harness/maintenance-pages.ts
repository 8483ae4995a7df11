import type { AppPage } from "./page-shapes.ts";

/** A number that is never assigned. */
const none = "/api/maintenance/999999";

const views = ["Planned", "Calendar", "Past"].map((name) => `button ${name}`);

const form = [
  ...["Title optional", "Description", "Tags optional", "Starts", "Duration"].map(
    (name) => `textbox ${name}`,
  ),
  ...["Some monitors", "All monitors, those added later too"].map((name) => `radio ${name}`),
  ...["Monitors", "Unit", "Time zone", "Repeats"].map((name) => `combobox ${name}`),
];

/** When monitors are worked on. */
export const maintenancePages: readonly AppPage[] = [
  {
    path: "/maintenance",
    key: "m",
    opens: ["Actions for Move to the new rack"],
    ready: "link: Move to the new rack",
    controls: {
      viewer: [...views, "link Move to the new rack"],
      member: ["link Plan maintenance", "button Actions for *"],
    },
    empty: {
      ready: "heading: No maintenance planned",
      controls: { viewer: views, member: ["link Plan maintenance"] },
    },
    requests: [
      { least: "member", method: "POST", path: "/api/maintenance", body: { duration: 60 } },
      { least: "viewer", method: "GET", path: "/api/maintenance" },
    ],
  },
  {
    path: "/maintenance/new",
    least: "member",
    readsNothing: true,
    ready: "button: Plan",
    controls: {
      viewer: ["link Maintenance"],
      member: [...form, "button Plan"],
    },
  },
  {
    path: "/maintenance/$id",
    at: ({ window }) => `/maintenance/${window}`,
    ready: "list: Next times",
    controls: {
      viewer: ["link Maintenance"],
      member: [...form, "button Remove Shop*", "button Save", "button Actions for *"],
    },
    requests: [
      { least: "viewer", method: "GET", path: none },
      { least: "member", method: "PUT", path: none, body: {} },
      { least: "member", method: "DELETE", path: none },
      { least: "member", method: "POST", path: `${none}/end`, body: {} },
      { least: "member", method: "POST", path: `${none}/skip`, body: {} },
    ],
  },
];
