import type { AppPage } from "./page-shapes.ts";

/** A number that is never assigned. */
const none = "/api/status-pages/999999";

const preview = [
  "combobox Language of the preview",
  ...["As on a screen", "As on a phone", "Light", "Dark"].map((name) => `button ${name}`),
];

const templates = "/api/status-pages/templates";

const templateForm = [
  ...["Name", "Title optional", "Text"].map((name) => `textbox ${name}`),
  ...["English", "Deutsch", "中文"].map((name) => `checkbox ${name}`),
];

/** What the world sees. */
export const statusPagePages: readonly AppPage[] = [
  {
    path: "/status-pages",
    key: "p",
    opens: ["Actions for Northwind status", "Columns", "Create status page"],
    ready: "link: Northwind status",
    controls: {
      viewer: [
        "searchbox Search name or address",
        "link Templates",
        "button Columns",
        "link Northwind status",
        "button Actions for Northwind status",
      ],
      member: ["button Create status page"],
    },
    empty: {
      ready: "heading: Show how your services are doing",
      controls: { member: ["button Create status page"] },
    },
    requests: [
      { least: "viewer", method: "GET", path: "/api/status-pages" },
      { least: "viewer", method: "GET", path: "/api/status-pages/free-slug?name=Status" },
      { least: "member", method: "POST", path: "/api/status-pages", body: { slug: "x" } },
    ],
  },
  {
    path: "/status-pages/templates",
    ready: "heading: Built in",
    opens: ["Delete Provider is down"],
    controls: {
      viewer: ["link Status pages"],
      member: [
        "link Create template",
        "link Provider is down",
        "button Delete Provider is down",
        "link Begin a template with *",
      ],
    },
    empty: {
      ready: "heading: No templates of your own yet",
      controls: {
        viewer: ["link Status pages"],
        member: ["link Create template", "link Begin a template with *"],
      },
    },
    requests: [
      { least: "viewer", method: "GET", path: templates },
      { least: "viewer", method: "GET", path: "/api/status-pages/built-in-templates" },
      { least: "member", method: "POST", path: templates, body: { name: "" } },
    ],
  },
  {
    path: "/status-pages/templates/new",
    least: "member",
    readsNothing: true,
    ready: "heading: Placeholders",
    controls: {
      viewer: ["link Status pages", "link Templates"],
      member: [...templateForm, "button Create"],
    },
  },
  {
    path: "/status-pages/templates/$id",
    at: ({ template }) => `/status-pages/templates/${template}`,
    least: "member",
    ready: "heading: Placeholders",
    controls: {
      viewer: ["link Status pages", "link Templates"],
      member: [...templateForm, "button Save"],
    },
    requests: [
      { least: "viewer", method: "GET", path: `${templates}/999999` },
      { least: "member", method: "PUT", path: `${templates}/999999`, body: {} },
      { least: "member", method: "DELETE", path: `${templates}/999999` },
    ],
  },
  {
    path: "/status-pages/$id",
    at: ({ statusPage }) => `/status-pages/${statusPage}`,
    ready: "heading: Preview",
    opens: ["Actions for Shop", "Add monitors"],
    controls: {
      viewer: ["link Status pages", "link Open page", ...preview],
      member: [
        ...["Components", "Text and address", "Appearance", "Access", "Subscribers", "Links"].map(
          (name) => `button ${name}`,
        ),
        ...["Save", "Move Shop", "Shop *", "Actions for Shop", "Add monitors", "Add group"].map(
          (name) => `button ${name}`,
        ),
      ],
    },
    requests: [
      { least: "viewer", method: "GET", path: none },
      { least: "viewer", method: "POST", path: `${none}/preview`, body: {} },
      { least: "member", method: "PUT", path: none, body: {} },
      { least: "member", method: "DELETE", path: none },
      { least: "member", method: "PUT", path: `${none}/logo`, body: { content: "AAAA" } },
      { least: "member", method: "DELETE", path: `${none}/logo` },
      { least: "member", method: "POST", path: `${none}/custom-domain/check` },
      { least: "member", method: "POST", path: `${none}/subscribers/import`, body: { content: "a@b.test" } },
      { least: "member", method: "DELETE", path: `${none}/subscribers/1` },
    ],
  },
];
