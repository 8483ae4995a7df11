import type { AppPage } from "./page-shapes.ts";

/** Nobody's number. */
const none = "/api/status-pages/999999";

const preview = [
  "combobox Language of the preview",
  ...["As on a screen", "As on a phone", "Light", "Dark"].map((name) => `button ${name}`),
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
        "button Columns",
        "link Northwind status",
        "button Actions for Northwind status",
      ],
      member: ["button Create status page"],
    },
    empty: {
      ready: "heading: Tell people how your services are doing",
      controls: { member: ["button Create status page"] },
    },
    asks: [
      { least: "viewer", method: "GET", path: "/api/status-pages" },
      { least: "viewer", method: "GET", path: "/api/status-pages/free-slug?name=Status" },
      { least: "member", method: "POST", path: "/api/status-pages", body: { slug: "x" } },
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
    asks: [
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
