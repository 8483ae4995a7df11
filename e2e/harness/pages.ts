import type { Numbers, Role } from "./company.ts";

/**
 * Controls by what they are and what they are called, as those hear them who cannot see them: `button Add`; `*` stands
 * for any words. Under each role stands what it has beside that of the roles below it.
 */
export type Controls = Partial<Record<Role, readonly string[]>>;

/** A request that a control sends, and the least role that may send it: with a body or a number that changes nothing. */
export interface Ask {
  least: Role;
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  path: string;
  body?: object;
}

/** A page behind the sign-in, and what each role finds on it. */
export interface AppPage {
  /** As in web/src/routes.tsx. */
  path: string;
  at?: (ids: Numbers) => string;
  /** What is there once the page has come; for those who may not see it, what tells them so. */
  ready: string;
  controls: Controls;
  /** In an organization without anything, where the page is another one then. */
  empty?: { ready: string; controls: Controls };
  /** What its controls ask of the API. */
  asks?: readonly Ask[];
  /** Buttons that open a dialog or a menu. */
  opens?: readonly string[];
  /** `g`, then this, leads there. */
  key?: string;
  /** It shows nothing of its own that is read. */
  readsNothing?: true;
  /** From which role on the page is shown at all; others are told that they may not see it. */
  least?: Role;
}

/** Nobody's number. */
const none = 999_999;

const adding = ["textbox URL to watch", "button Add", "button Add several", "link All settings"];

const listed = (head: string) => [
  "button All*",
  "button Down*",
  "button Up*",
  "button Paused*",
  "searchbox Search by name, *",
  ...[head, "Status", "Response", "Certificate", "Uptime", "Columns"].map((name) => `button ${name}`),
  "button Actions for *",
];

const intervals = ["10 seconds", "30 seconds", "1 minute", "5 minutes"].map((name) => `button ${name}`);
const sections = ["Schedule", "Locations", "When it counts as down", "Tags"].map((name) => `button ${name}*`);
const domainForm = [
  ...["URL", "Name", "Check interval"].map((name) => `textbox ${name}`),
  ...intervals,
  ...sections,
  ...["Request", "What counts as up", "Certificate"].map((name) => `button ${name}*`),
  "link Cancel",
];
const acting = ["button Pause", "link Edit", "button Delete"];

const settings = ["link Settings", "link Profile", "link Organization", "link API keys"];
const auditEntry = ["link Audit log"];

/** What a kind's forms, list and buttons ask. */
const writes = (api: string): Ask[] => [
  { least: "member", method: "POST", path: api, body: {} },
  { least: "member", method: "PUT", path: `${api}/${none}`, body: { enabled: false } },
  { least: "member", method: "DELETE", path: `${api}/${none}` },
];

const organization = "/api/organizations/1";

/**
 * Every page behind the sign-in. The roles are those of shared decisions, not of the code: a viewer only looks, a member
 * changes what is watched and makes keys, an admin runs the organization, and an owner owns it.
 */
export const appPages: readonly AppPage[] = [
  {
    path: "/",
    key: "o",
    opens: ["Search", "Notifications", "Organization: Northwind", "Account: Mira Holm", "Add several"],
    ready: "heading: 2 domains and services are down",
    controls: {
      viewer: ["link Domains *", "link Services *", "link *", "link Checkout", "link Gateway", "link Shop"],
      member: adding,
    },
    empty: { ready: "heading: Overview", controls: { member: adding } },
  },
  {
    path: "/domains",
    key: "d",
    opens: ["Actions for Shop", "Columns", "Add several"],
    ready: "button: Actions for Staging",
    controls: {
      viewer: [
        ...listed("Domain"),
        "link Checkout",
        "link Shop",
        "link Staging",
        "button production",
        "link http*",
      ],
      member: [...adding, "checkbox Select *"],
    },
    empty: { ready: "heading: Domains", controls: { member: adding } },
    asks: [
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
      member: [...domainForm, "button Test now", "button Start watching"],
    },
    asks: [{ least: "member", method: "POST", path: "/api/domains/test", body: {} }],
  },
  {
    path: "/domains/$id",
    opens: ["Delete"],
    at: ({ domain }) => `/domains/${domain}`,
    ready: "button: Show as table",
    controls: {
      viewer: [
        "link Domains",
        "link http*",
        "button p95 · p99",
        "radio Last *",
        "button Show as table",
        "button *: details",
      ],
      member: acting,
    },
  },
  {
    path: "/domains/$id/edit",
    at: ({ domain }) => `/domains/${domain}/edit`,
    least: "member",
    ready: "button: Save",
    controls: {
      viewer: ["link Domains", "link Shop"],
      member: [...domainForm, "button Remove *", "textbox Tags", "button Save"],
    },
  },
  {
    path: "/services",
    key: "s",
    opens: ["Actions for Gateway", "Columns"],
    ready: "button: Actions for Nightly backup",
    controls: {
      viewer: [
        ...listed("Service"),
        "button Degraded",
        "button No status",
        "link Gateway",
        "link Nightly backup",
      ],
      member: ["link Add service"],
    },
    empty: { ready: "heading: Services", controls: { member: ["link Add service"] } },
    asks: writes("/api/services"),
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
        "checkbox *",
        ...intervals,
        ...sections,
        "button Add header",
        "button Status code",
        "button Text in the answer",
        "button JSON value",
        "button Response header",
        "button Response time",
        "link Cancel",
        "button Start watching",
      ],
    },
  },
  {
    path: "/services/$id",
    opens: ["Delete"],
    at: ({ service }) => `/services/${service}`,
    ready: "heading: Nightly backup",
    controls: { viewer: ["link Services"], member: [...acting, "button Copy address"] },
  },
  {
    path: "/services/$id/edit",
    at: ({ service }) => `/services/${service}/edit`,
    least: "member",
    ready: "button: Save",
    controls: {
      viewer: ["link Services", "link Nightly backup"],
      member: [
        ...["Name", "Grace period", "Token", "Expected every"].map((name) => `textbox ${name}`),
        ...intervals,
        ...sections.filter((name) => !name.includes("Locations")),
        "link Cancel",
        "button Save",
      ],
    },
  },
  {
    path: "/settings",
    readsNothing: true,
    ready: "link: Profile",
    controls: { viewer: ["*"], admin: auditEntry },
  },
  {
    path: "/settings/profile",
    opens: ["Change password", "Set up", "End all others", "End the session of"],
    ready: "combobox: Time zone",
    controls: {
      viewer: [
        ...settings,
        "textbox Your name",
        "button Save",
        "link Manage API keys",
        "button Change password",
        "button Set up",
        ...["Language", "Theme", "Time zone"].map((name) => `combobox ${name}`),
        "button End all others",
        "button End the session of *",
      ],
      admin: auditEntry,
    },
  },
  {
    path: "/settings/organization",
    opens: ["Invite", "Remove Ada Sørensen", "Hand over", "Leave", "Delete"],
    ready: "button: Leave",
    controls: {
      viewer: [...settings, "button Leave"],
      admin: [
        ...auditEntry,
        "textbox Organization name",
        "button Save",
        "combobox Role of Jonas Brandt",
        "combobox Role of Ada Sørensen",
        "combobox Role of Li Wei",
        "button Remove Ada Sørensen",
        "button Remove Li Wei",
        "button Invite",
        "button Invite new@northwind.test again",
        "button Cancel the invitation of *",
      ],
      owner: [
        "button Remove Jonas Brandt",
        "button Invite partner@northwind.test again",
        "link How to set up mail",
        "button Hand over",
        "button Delete",
      ],
    },
    asks: [
      { least: "admin", method: "PUT", path: organization, body: { name: "" } },
      { least: "admin", method: "PUT", path: `${organization}/members/${none}`, body: { role: "viewer" } },
      { least: "admin", method: "DELETE", path: `${organization}/members/${none}` },
      { least: "viewer", method: "GET", path: `${organization}/invitations` },
      { least: "admin", method: "POST", path: `${organization}/invitations`, body: {} },
      { least: "admin", method: "DELETE", path: `${organization}/invitations/${none}` },
      { least: "admin", method: "POST", path: `${organization}/invitations/${none}/resend` },
      { least: "owner", method: "GET", path: "/api/mail" },
      { least: "owner", method: "POST", path: `${organization}/transfer`, body: {} },
      { least: "owner", method: "DELETE", path: organization, body: {} },
      { least: "viewer", method: "GET", path: `${organization}/members` },
      { least: "viewer", method: "GET", path: `${organization}/usage` },
    ],
  },
  {
    path: "/settings/api-keys",
    opens: ["Create key", "Delete Script of Ada Sørensen"],
    ready: "heading: API keys",
    controls: {
      viewer: settings,
      member: ["button Create key", "button Delete Script of Ada Sørensen"],
      admin: [...auditEntry, "button Delete Script of Jonas Brandt", "button Delete Script of Li Wei"],
    },
    empty: {
      ready: "heading: No API keys yet",
      controls: { viewer: settings, member: ["button Create key"], admin: auditEntry },
    },
    asks: [
      { least: "viewer", method: "GET", path: "/api/api-keys" },
      { least: "member", method: "POST", path: "/api/api-keys", body: {} },
      { least: "member", method: "DELETE", path: `/api/api-keys/${none}` },
    ],
  },
  {
    path: "/settings/audit-log",
    least: "admin",
    ready: "link: Export CSV",
    controls: {
      viewer: settings,
      admin: [
        ...auditEntry,
        "link Export CSV",
        "combobox Person",
        "combobox Action",
        "searchbox Name contains",
        "textbox From",
        "textbox Until",
        "button Clear",
      ],
    },
    asks: [
      { least: "admin", method: "GET", path: `${organization}/audit-log` },
      { least: "admin", method: "GET", path: `${organization}/audit-log.csv` },
    ],
  },
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
    "button Notifications*",
    "link Settings",
    "button Collapse sidebar",
    "button Account: *",
  ],
};

/** A page before the sign-in, which everybody may see. */
export interface BarePage {
  path: string;
  at?: (ids: Numbers) => string;
  ready: string;
  controls: readonly string[];
}

const bare = ["button Language", "button Theme: *"];
const typing = ["textbox New password", "button Show password", "button Save the password"];

/** Every page before the sign-in, but for set-up, which is gone once there is an owner. */
export const barePages: readonly BarePage[] = [
  {
    path: "/sign-in",
    ready: "heading: Sign in",
    controls: [
      ...bare,
      "textbox E-mail",
      "textbox Password",
      "button Show password",
      "button Sign in",
      "link Forgot password?",
    ],
  },
  {
    path: "/forgot-password",
    ready: "link: Back to sign-in",
    controls: [...bare, "link Back to sign-in"],
  },
  {
    path: "/reset-password",
    at: () => "/reset-password#token",
    ready: "heading: Choose a new password",
    controls: [...bare, ...typing],
  },
  {
    path: "/confirm-email",
    at: () => "/confirm-email#token",
    ready: "button: Confirm this address",
    controls: [...bare, "button Confirm this address"],
  },
  {
    path: "/invitation",
    at: ({ invitation }) => `/invitation#${invitation}`,
    ready: "heading: Join Northwind",
    controls: [
      ...bare,
      "textbox Your name",
      "textbox E-mail",
      "textbox Password",
      "button Show password",
      "button Create account and join",
    ],
  },
];

/** What has tests of its own alone: set-up, and the page for those who build the app. */
export const apart: readonly string[] = ["/set-up", "/styleguide"];

/** Where a page is. */
export const addressOf = ({ path, at }: Pick<AppPage, "path" | "at">, ids: Numbers): string =>
  at?.(ids) ?? path;

/** Pages that two keys lead to. */
export const keyed = appPages.flatMap(({ path, key }) => (key === undefined ? [] : [{ path, key }]));
