import type { AppPage } from "./page-shapes.ts";

/** A number that is never assigned. */
const none = 999_999;
const api = "/api/devices";

const listed = [
  "button All*",
  "button Online*",
  "searchbox Search by name, *",
  ...["Device", "Status", "Columns"].map((name) => `button ${name}`),
  "button Actions for *",
  "link Web 1",
];
const listedToChange = ["link Add device", "checkbox Select *"];

/** The machines. */
export const devicePages: readonly AppPage[] = [
  {
    path: "/devices",
    key: "e",
    opens: ["Actions for Web 1", "Columns"],
    ready: "button: Actions for Web 1",
    controls: {
      viewer: listed,
      member: listedToChange,
    },
    empty: { ready: "heading: Devices", controls: { viewer: [], member: ["link Add device"] } },
    requests: [
      { least: "member", method: "POST", path: api, body: {} },
      { least: "member", method: "PUT", path: `${api}/${none}`, body: { enabled: false } },
      { least: "member", method: "DELETE", path: `${api}/${none}` },
      { least: "member", method: "POST", path: `${api}/bulk`, body: {} },
    ],
  },
  {
    path: "/devices/new",
    least: "member",
    ready: "button: Show the command",
    controls: {
      member: [
        // The list behind the dialog.
        ...listed,
        ...listedToChange,
        ...["One machine", "Many machines"].map((name) => `radio ${name}`),
        "textbox Name",
        "button Cancel",
        "button Show the command",
      ],
    },
    requests: [
      { least: "member", method: "POST", path: `${api}/enrollment-tokens`, body: {} },
      { least: "member", method: "DELETE", path: `${api}/enrollment-tokens/${none}` },
    ],
  },
  {
    path: "/devices/$id",
    opens: ["New token", "Delete"],
    at: ({ device }) => `/devices/${device}`,
    ready: "cell: /usr/sbin/nginx",
    controls: {
      viewer: [
        "link Devices",
        "link Alerts: none",
        "radio Last *",
        "button Show as table",
        ...["Processes", "Connections", "Applications", "Containers", "Changes"].map(
          (name) => `radio ${name}`,
        ),
        "searchbox Search processes",
        ...["Name", "Processor", "Memory", "PID", "User", "Status", "Command line"].map(
          (name) => `button ${name}`,
        ),
      ],
      member: ["button Mute 1 h", "button Pause", "link Edit", "button New token", "button Delete"],
    },
    requests: [{ least: "member", method: "POST", path: `${api}/${none}/regenerate-token` }],
  },
  {
    path: "/devices/$id/edit",
    at: ({ device }) => `/devices/${device}/edit`,
    least: "member",
    ready: "button: Save",
    controls: {
      viewer: ["link Devices", "link Web 1"],
      member: [
        "textbox Name",
        "textbox Report interval",
        ...["10 seconds", "30 seconds", "1 minute", "5 minutes"].map((span) => `button ${span}`),
        "checkbox Watch this device",
        ...["Thresholds", "What runs on it", "Alerts", "Tags"].map((name) => `button ${name}*`),
        "link Cancel",
        "button Save",
      ],
    },
  },
];
