import type { AppPage } from "./page-shapes.ts";

const about = ["Domains", "Services", "Devices", "Incidents"].map((name) => `button ${name}`);
const time = ["Last 24 hours", "Last 7 days", "Last 30 days", "Days of your choice"].map(
  (name) => `radio ${name}`,
);
const files = ["CSV", "PDF", "Print"].map((name) => `link ${name}`);

/** What was up, how fast, and what happened. */
export const reportPages: readonly AppPage[] = [
  {
    path: "/reports",
    key: "r",
    ready: "heading: Downtime",
    controls: {
      viewer: [...about, ...time, ...files, "button Show as a table", "link *"],
    },
    requests: [
      { least: "viewer", method: "GET", path: "/api/reports/domains" },
      { least: "viewer", method: "GET", path: "/api/reports/services" },
      { least: "viewer", method: "GET", path: "/api/reports/devices" },
      { least: "viewer", method: "GET", path: "/api/reports/incidents" },
    ],
  },
];
