import { type Static, Type } from "typebox";

export const Input = Type.Object(
  {
    target: Type.String({
      minLength: 1,
      maxLength: 255,
      description: "The host to scan: a name or an IP address.",
      examples: ["example.com"],
    }),
    scanType: Type.Optional(
      Type.Enum(["quick", "common", "full", "custom"], {
        default: "quick",
        description:
          "`quick`: the 100 ports that are open most often; `common`: the 1,000; `full`: all 65,535; `custom`: those of `ports`.",
      }),
    ),
    protocol: Type.Optional(
      Type.Enum(["tcp", "udp"], {
        default: "tcp",
        description: "Over UDP only what answers counts as open: silence says nothing.",
      }),
    ),
    timeout: Type.Optional(
      Type.Integer({
        minimum: 100,
        maximum: 10_000,
        default: 1_000,
        description: "How many milliseconds each port has to answer.",
      }),
    ),
    ports: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 1_000,
        description: "For a `custom` scan: ports and ranges of them.",
        examples: ["22,80,8000-8100"],
        "x-when": { scanType: ["custom"] },
      }),
    ),
  },
  { title: "PortScanRequest" },
);

export const Progress = Type.Object(
  {
    type: Type.Literal("progress", { description: "It goes on." }),
    progress: Type.Integer({
      minimum: 0,
      maximum: 100,
      description: "How many percent of the ports were scanned.",
    }),
  },
  { title: "PortScanProgress" },
);

export const Output = Type.Object(
  {
    target: Type.String({ description: "The host that was scanned." }),
    address: Type.String({ description: "The address of it that was scanned." }),
    openPorts: Type.Array(Type.Integer({ description: "A port." }), {
      description: "Those that are open, in order.",
    }),
    totalScanned: Type.Integer({ description: "How many ports were scanned." }),
    closed: Type.Integer({ description: "How many refused the connection." }),
    silent: Type.Integer({ description: "How many said nothing in time, as behind a firewall." }),
    services: Type.Array(
      Type.Object({
        port: Type.Integer({ description: "A port that is open." }),
        protocol: Type.Enum(["tcp", "udp"], { description: "As in the request." }),
        service: Type.Union([Type.String(), Type.Null()], {
          description: "What listens there: by what it says, or else what usually does.",
          examples: ["ssh"],
        }),
        banner: Type.Union([Type.String(), Type.Null()], {
          description:
            "What it says of itself: its greeting, of the first 100 TCP ports, or what it answered over UDP (SNMP, NTP).",
        }),
      }),
      { description: "What listens on the open ports." },
    ),
    duration: Type.Integer({ description: "How many milliseconds it took." }),
  },
  { title: "PortScan" },
);

export type PortScanInput = Static<typeof Input>;
export type PortScan = Static<typeof Output>;
