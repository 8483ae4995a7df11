import type { AppPage } from "./page-shapes.ts";

/** A number that is never assigned. */
const none = "/api/incidents/999999";

const filters = [
  ...["Open", "Not acknowledged", "Resolved", "All"].map((name) => `button ${name}`),
  "searchbox Search by title",
  ...["Severity", "Affected monitor"].map((name) => `combobox ${name}`),
];

/** What went wrong, and what is done about it. */
export const incidentPages: readonly AppPage[] = [
  {
    path: "/incidents",
    key: "i",
    opens: ["Actions for Payments are slow", "Columns"],
    ready: "link: Payments are slow",
    controls: {
      viewer: [
        ...filters,
        ...["Status", "Severity", "Began", "Duration", "Columns"].map((name) => `button ${name}`),
        "link Payments are slow",
        "link * is down",
        "button Actions for *",
      ],
      member: ["button Report incident", "checkbox Select *"],
    },
    empty: {
      ready: "heading: No open incidents",
      controls: {
        viewer: filters,
        member: ["button Report incident"],
      },
    },
    requests: [
      { least: "member", method: "POST", path: "/api/incidents", body: {} },
      { least: "viewer", method: "GET", path: "/api/status-pages/showing?ids=1" },
      { least: "member", method: "POST", path: "/api/incidents/bulk", body: {} },
    ],
  },
  {
    path: "/incidents/$id",
    at: ({ incident }) => `/incidents/${incident}`,
    opens: ["More actions"],
    ready: "heading: Timeline",
    controls: {
      viewer: ["link Incidents", "link No one yet", "link Shop", "link Northwind status"],
      member: [
        ...["Acknowledge", "Resolve", "More actions", "Update", "Comment", "Post update", "Write"].map(
          (name) => `button ${name}`,
        ),
        ...[
          "textbox Update",
          "button Write a draft",
          "combobox Template of the draft",
          "link Edit templates",
        ],
        "button Change its pages",
        ...["checkbox Northwind status", "link Open Northwind status"],
        "combobox Status",
        "combobox Assigned to",
      ],
    },
    requests: [
      { least: "member", method: "PUT", path: none, body: { status: "resolved" } },
      { least: "member", method: "DELETE", path: none },
      { least: "member", method: "POST", path: `${none}/acknowledge` },
      { least: "member", method: "POST", path: `${none}/reopen` },
      { least: "member", method: "POST", path: `${none}/assign`, body: { userId: null } },
      { least: "member", method: "POST", path: `${none}/updates`, body: { message: "Hm." } },
      { least: "member", method: "POST", path: `${none}/comments`, body: { content: "Hm." } },
      { least: "member", method: "PUT", path: `${none}/postmortem`, body: { content: "Hm." } },
      { least: "member", method: "POST", path: `${none}/merge`, body: { into: 1 } },
      { least: "member", method: "PUT", path: `${none}/updates/1`, body: { pages: [] } },
      { least: "viewer", method: "POST", path: `${none}/draft-update`, body: {} },
      { least: "viewer", method: "GET", path: "/api/incidents" },
    ],
  },
];
