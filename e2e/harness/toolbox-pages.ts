import type { AppPage } from "./page-shapes.ts";

const tools = [
  ...["DNS lookup", "Ping", "Traceroute", "TLS", "HTTP", "Port scan", "IP location", "Registration"],
].map((name) => `link ${name}`);

/** Network tools. */
export const toolboxPages: readonly AppPage[] = [
  {
    path: "/toolbox",
    key: "t",
    least: "member",
    readsNothing: true,
    ready: "button: Look up",
    controls: {
      viewer: [],
      member: [
        ...tools,
        "textbox Name or IP address",
        "combobox Record type",
        "textbox Name server optional",
        "button Look up",
      ],
    },
    requests: [{ least: "member", method: "POST", path: "/api/toolbox/ip-scanner", body: { ip: "8.8.8.8" } }],
  },
];
