import type { AppPage } from "./page-shapes.ts";

/** A number that is never assigned. */
const none = 999_999;

const settings = [
  "link Settings",
  "link Profile",
  "link Notifications",
  "link Organization",
  "link Channels",
  "link Integrations",
  "link API keys",
  "link Assistants",
];
const auditEntry = ["link Audit log"];

const channels = "/api/notifications/channels";
const channelForm = [
  "textbox Name",
  "checkbox Send messages",
  "button Events to send*",
  "button When, and in which language*",
  "link Cancel",
];

const organization = "/api/organizations/1";

/** The settings of a person and of an organization. */
export const settingsPages: readonly AppPage[] = [
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
    path: "/settings/notifications",
    ready: "heading: This browser",
    // Whether it can be turned on is the browser's to say.
    controls: { viewer: ["*"], admin: auditEntry },
    requests: [
      { least: "viewer", method: "GET", path: "/api/notifications/settings" },
      { least: "viewer", method: "PUT", path: "/api/notifications/settings", body: {} },
      { least: "viewer", method: "POST", path: "/api/notifications/settings/test", body: { type: "slack" } },
      { least: "viewer", method: "DELETE", path: `/api/auth/push/${none}` },
    ],
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
    requests: [
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
    path: "/settings/channels",
    opens: ["Delete On call"],
    ready: "link: On call",
    controls: {
      viewer: [...settings, "link On call"],
      member: ["link Add channel", "button Delete On call"],
      admin: auditEntry,
    },
    empty: {
      ready: "heading: No channels yet",
      controls: { viewer: settings, member: ["link Add channel"], admin: auditEntry },
    },
    requests: [
      { least: "viewer", method: "GET", path: channels },
      { least: "member", method: "POST", path: channels, body: {} },
      { least: "member", method: "DELETE", path: `${channels}/${none}` },
    ],
  },
  {
    path: "/settings/channels/new",
    least: "member",
    readsNothing: true,
    ready: "button: Add channel",
    controls: {
      viewer: settings,
      member: [...channelForm, "combobox Type", "textbox E-mail address", "button Add channel"],
      admin: auditEntry,
    },
  },
  {
    path: "/settings/channels/$id",
    at: ({ channel }) => `/settings/channels/${channel}`,
    ready: "heading: On call",
    controls: {
      viewer: settings,
      member: [
        ...channelForm,
        "button Send test message",
        ...["URL", "Signing secret", "Template"].map((name) => `textbox ${name}`),
        // Its events are unfolded, because not all are chosen.
        ...["Everything", "Only these", "Every severity"].map((name) => `radio ${name}`),
        ...["Down", "Up again", "Degraded", "Flapping", "No longer monitored"].map(
          (name) => `checkbox ${name}`,
        ),
        ...["Device offline", "Device online again", "Health of a device"].map((name) => `checkbox ${name}`),
        ...["Certificate expires soon", "Certificate not valid"].map((name) => `checkbox ${name}`),
        "checkbox Error budget used up too fast",
        ...["Incident reported", "Update on an incident", "Incident resolved"].map(
          (name) => `checkbox ${name}`,
        ),
        "textbox Tags",
        "combobox Reminder",
        "button Save",
        "button Send again",
      ],
      admin: auditEntry,
    },
    requests: [
      { least: "viewer", method: "GET", path: `${channels}/${none}` },
      { least: "member", method: "PUT", path: `${channels}/${none}`, body: {} },
      { least: "member", method: "POST", path: `${channels}/${none}/test` },
      { least: "member", method: "POST", path: `${channels}/${none}/confirmation` },
      { least: "viewer", method: "GET", path: `${channels}/${none}/deliveries` },
      { least: "member", method: "POST", path: `${channels}/${none}/deliveries/${none}/resend` },
    ],
  },
  {
    path: "/settings/integrations",
    opens: [
      ...["Azure", "Coolify", "Vercel", "Add webhook"],
      ...["Unlink Platform", "Edit Storefront", "Delete Storefront"],
    ],
    ready: "link: Platform",
    controls: {
      viewer: [...settings, "link Platform"],
      member: [
        ...["Azure", "Coolify", "Vercel", "Add webhook"].map((name) => `button ${name}`),
        "button Unlink Platform",
        ...["Edit", "Delete"].map((action) => `button ${action} Storefront`),
      ],
      admin: auditEntry,
    },
    empty: {
      ready: "heading: Linked accounts",
      controls: {
        viewer: settings,
        member: ["Azure", "Coolify", "Vercel", "Add webhook"].map((name) => `button ${name}`),
        admin: auditEntry,
      },
    },
    requests: [
      { least: "viewer", method: "GET", path: "/api/integrations" },
      { least: "viewer", method: "GET", path: "/api/integrations/providers" },
      { least: "member", method: "POST", path: "/api/azure/accounts", body: {} },
      { least: "member", method: "POST", path: "/api/coolify/instances", body: {} },
      { least: "member", method: "POST", path: "/api/vercel/accounts", body: {} },
      { least: "member", method: "DELETE", path: `/api/coolify/instances/${none}` },
      { least: "viewer", method: "GET", path: "/api/deployments" },
      { least: "viewer", method: "GET", path: "/api/deployments/webhooks" },
      { least: "member", method: "POST", path: "/api/deployments/webhooks", body: {} },
      { least: "member", method: "DELETE", path: `/api/deployments/webhooks/${none}` },
    ],
  },
  {
    path: "/settings/integrations/vercel",
    readsNothing: true,
    ready: "link: Back to integrations",
    controls: { viewer: [...settings, "link Back to integrations"], admin: auditEntry },
    requests: [{ least: "member", method: "POST", path: "/api/vercel/accounts/callback", body: {} }],
  },
  {
    path: "/settings/integrations/$provider/$id",
    at: ({ account }) => `/settings/integrations/coolify/${account}`,
    opens: ["Link again"],
    ready: "heading: Resources",
    controls: {
      viewer: [...settings, "searchbox Search resources"],
      member: ["button Link again", "button Read now", "button Monitor *"],
      admin: auditEntry,
    },
    requests: [
      { least: "viewer", method: "GET", path: `/api/coolify/instances/${none}` },
      { least: "member", method: "PUT", path: `/api/coolify/instances/${none}`, body: {} },
      { least: "member", method: "POST", path: `/api/coolify/instances/${none}/sync` },
      { least: "viewer", method: "GET", path: `/api/coolify/instances/${none}/resources` },
      { least: "member", method: "POST", path: `/api/coolify/instances/${none}/resources/${none}/monitor` },
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
    requests: [
      { least: "viewer", method: "GET", path: "/api/api-keys" },
      { least: "member", method: "POST", path: "/api/api-keys", body: {} },
      { least: "member", method: "DELETE", path: `/api/api-keys/${none}` },
    ],
  },
  {
    path: "/settings/assistants",
    readsNothing: true,
    ready: "heading: Connect",
    controls: {
      viewer: [
        ...settings,
        "button Copy: Address",
        "button Copy: Claude, Terminal",
        "button Copy: Claude, claude_desktop_config.json",
        "radio Claude",
        "radio Cursor",
        "radio VS Code",
        "radio ChatGPT",
        "radio curl",
      ],
      member: ["button Create key", "combobox The assistant may"],
      admin: auditEntry,
    },
    requests: [{ least: "member", method: "POST", path: "/api/api-keys", body: {} }],
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
    requests: [
      { least: "admin", method: "GET", path: `${organization}/audit-log` },
      { least: "admin", method: "GET", path: `${organization}/audit-log.csv` },
    ],
  },
];
