import type { AppPage, PageRequest } from "./page-shapes.ts";

/** A number that is never assigned. */
const none = 999_999;

const adding = ["textbox URL to watch", "button Add", "link Add several", "link All settings"];

/** `state`: of one that is neither up nor down. */
const listed = (head: string, state: string) => [
  "button All*",
  "button Down*",
  "button Up*",
  `button ${state}*`,
  "searchbox Search by name, *",
  ...[head, "Status", "Response", "Certificate", "Uptime", "Columns"].map((name) => `button ${name}`),
  "button Actions for *",
];

const intervals = ["10 seconds", "30 seconds", "1 minute", "5 minutes"].map((name) => `button ${name}`);
const sections = ["Schedule", "Locations", "When it counts as down", "Objective", "Tags"].map(
  (name) => `button ${name}*`,
);
const httpSections = ["Request", "What counts as up", "Certificate"].map((name) => `button ${name}*`);
const domainForm = [
  ...["URL", "Name", "Check interval"].map((name) => `textbox ${name}`),
  ...intervals,
  ...sections,
  ...httpSections,
  "button Test now",
  "link Cancel",
];
const acting = ["button Mute 1 h", "button Pause", "link Edit", "button Delete"];

/** The requests of a kind's forms, list and buttons. */
const writes = (api: string): PageRequest[] => [
  { least: "member", method: "POST", path: api, body: {} },
  { least: "member", method: "PUT", path: `${api}/${none}`, body: { enabled: false } },
  { least: "member", method: "DELETE", path: `${api}/${none}` },
];

/** The overview, and what is watched. */
export const monitorPages: readonly AppPage[] = [
  {
    path: "/",
    key: "o",
    opens: ["Search", "Notifications", "Organization: Northwind", "Account: Mira Holm"],
    ready: "heading: 2 domains and services are down",
    controls: {
      viewer: [
        "link Domains *",
        "link Services *",
        "link Devices *",
        "link *",
        "link Checkout",
        "link Gateway",
        "link Shop",
      ],
      member: adding,
    },
    empty: { ready: "heading: Overview", controls: { member: adding } },
  },
  {
    path: "/domains",
    key: "d",
    opens: ["Actions for Shop", "Columns"],
    ready: "button: Actions for Staging",
    controls: {
      viewer: [
        "link Export",
        ...listed("Domain", "Paused"),
        "link Checkout",
        "link Shop",
        "link Staging",
        "button production",
        "link http*",
      ],
      member: ["link Import", ...adding, "checkbox Select *"],
    },
    empty: {
      ready: "heading: Domains",
      controls: { viewer: ["link Export"], member: ["link Import", ...adding] },
    },
    requests: [
      ...writes("/api/domains"),
      { least: "member", method: "POST", path: "/api/domains/bulk", body: {} },
    ],
  },
  {
    path: "/domains/new",
    least: "member",
    ready: "button: Start watching",
    controls: {
      viewer: ["link Domains"],
      member: [...domainForm, "button Start watching"],
    },
    requests: [{ least: "member", method: "POST", path: "/api/domains/test", body: {} }],
  },
  {
    path: "/domains/$id",
    opens: ["Delete"],
    at: ({ domain }) => `/domains/${domain}`,
    ready: "button: Show as table",
    controls: {
      viewer: [
        "link Domains",
        "link Open incident",
        "link http*",
        "button p95 · p99",
        "radio Last *",
        "button Show as table",
        "button *: details",
        "link Alerts: none",
      ],
      member: ["button Check now", ...acting],
    },
    requests: [{ least: "member", method: "POST", path: `/api/domains/${none}/check` }],
  },
  {
    path: "/domains/$id/edit",
    at: ({ domain }) => `/domains/${domain}/edit`,
    least: "member",
    ready: "button: Save",
    controls: {
      viewer: ["link Domains", "link Shop"],
      member: [...domainForm, "button Remove *", "textbox Tags", "textbox Description", "button Save"],
    },
    requests: [{ least: "member", method: "POST", path: `/api/domains/${none}/test`, body: {} }],
  },
  {
    path: "/services",
    key: "s",
    opens: ["Actions for Gateway", "Columns"],
    ready: "button: Actions for Nightly backup",
    controls: {
      viewer: ["link Export", ...listed("Service", "No status"), "link Gateway", "link Nightly backup"],
      member: ["link Import", "link Add service", "checkbox Select *"],
    },
    empty: {
      ready: "heading: Services",
      controls: { viewer: ["link Export"], member: ["link Import", "link Add service"] },
    },
    requests: [
      ...writes("/api/services"),
      { least: "member", method: "POST", path: "/api/services/bulk", body: {} },
    ],
  },
  {
    path: "/services/new",
    least: "member",
    ready: "button: Start watching",
    controls: {
      viewer: ["link Services"],
      member: [
        "combobox *",
        "textbox *",
        ...intervals,
        ...sections,
        ...httpSections,
        "button Test now",
        "link Cancel",
        "button Start watching",
      ],
    },
    requests: [{ least: "member", method: "POST", path: "/api/services/test", body: {} }],
  },
  {
    path: "/services/$id",
    opens: ["Delete"],
    at: ({ service }) => `/services/${service}`,
    ready: "heading: Nightly backup",
    controls: {
      viewer: ["link Services", "link Alerts: none"],
      member: [
        ...acting,
        "button Copy address",
        ...["Shell", "cron", "systemd", "GitHub Actions", "Kubernetes", "PowerShell"].map(
          (name) => `radio ${name}`,
        ),
        "button Copy lines",
      ],
    },
    requests: [
      { least: "member", method: "POST", path: `/api/services/${none}/check` },
      { least: "member", method: "POST", path: `/api/services/${none}/test`, body: {} },
    ],
  },
  {
    path: "/services/$id/edit",
    at: ({ service }) => `/services/${service}/edit`,
    least: "member",
    ready: "button: Save",
    controls: {
      viewer: ["link Services", "link Nightly backup"],
      member: [
        ...[
          "Name",
          "Grace period",
          "Token",
          "Expected every",
          "Cron expression",
          "Time zone",
          "Longest runtime",
        ].map((name) => `textbox ${name}`),
        ...["5 minutes", "15 minutes", "1 hour", "1 day"].map((span) => `button ${span}`),
        "checkbox Expect heartbeats",
        ...sections.filter((name) => !name.includes("Locations")),
        "link Cancel",
        "button Save",
      ],
    },
  },
  {
    path: "/import",
    least: "member",
    readsNothing: true,
    ready: "button: Choose a file",
    controls: {
      viewer: ["link Domains"],
      member: [
        "textbox Addresses, or the content of a file",
        "button Choose a file",
        "combobox Format",
        "button Preview",
      ],
    },
    requests: [{ least: "member", method: "POST", path: "/api/imports", body: { content: "" } }],
  },
];
