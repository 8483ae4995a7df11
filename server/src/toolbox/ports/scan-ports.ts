import { type Static, Type } from "typebox";
import { type Target, targetAddress } from "../target-address.ts";
import { textTable } from "../text-table.ts";
import { type ToolEnvironment, ToolError, tool } from "../tool.ts";
import { portsToScan } from "./port-list.ts";
import { followProgress } from "./progress.ts";
import { readBanners } from "./read-banners.ts";
import { type PortState, scanTcp } from "./scan-tcp.ts";
import { scanUdp } from "./scan-udp.ts";
import { usualService } from "./service-names.ts";

const Input = Type.Object(
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
      }),
    ),
  },
  { title: "PortScanRequest" },
);

const Progress = Type.Object(
  {
    type: Type.Literal("progress", { description: "It goes on." }),
    progress: Type.Integer({
      minimum: 0,
      maximum: 100,
      description: "How many percent of the ports were asked.",
    }),
  },
  { title: "PortScanProgress" },
);

const Output = Type.Object(
  {
    target: Type.String({ description: "The host that was scanned." }),
    address: Type.String({ description: "The address of it that was scanned." }),
    openPorts: Type.Array(Type.Integer({ description: "A port." }), {
      description: "Those that are open, in order.",
    }),
    totalScanned: Type.Integer({ description: "How many ports were asked." }),
    closed: Type.Integer({ description: "How many said that nobody listens there." }),
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
          description: "What it said of itself when it was connected to; of the first 100 ports.",
        }),
      }),
      { description: "What listens on the open ports." },
    ),
    duration: Type.Integer({ description: "How many milliseconds it took." }),
  },
  { title: "PortScan" },
);

type Input = Static<typeof Input>;
type Output = Static<typeof Output>;

/** Which ports of a host are open, and what listens there (spec, Toolbox; decisions §9). */
export const scanPorts = tool({
  name: "port-scanner",
  title: "Port scan",
  description:
    "Finds out which ports of a host are open and what listens there. The answer is one JSON object a line: `progress` lines, at every percent and at least each second, then one `result` line, or one `error` line with a `message`. It stops when the client goes away.",
  input: Input,
  subject: "target",
  output: Output,
  progress: Progress,
  atOnce: 3,
  run: scan,
  print: ({ services, totalScanned, silent }) =>
    `${textTable(
      ["Port", "Service", "Banner"],
      services.map(({ port, protocol, service, banner }) => [`${port}/${protocol}`, service, banner]),
    )}${totalScanned} ports scanned, ${services.length} open, ${silent} silent\n`,
});

async function scan(input: Input, environment: ToolEnvironment): Promise<Output> {
  const startedMs = performance.now();
  const { scanType = "quick", protocol = "tcp", timeout: timeoutMs = 1_000 } = input;
  const list = portsToScan(scanType, protocol, input.ports);
  if ("problem" in list) throw new ToolError(list.problem, "ports");
  const to = await targetAddress(input.target, "target", environment);
  const states = await askPorts({ to, protocol, ports: list.ports, timeoutMs }, environment);
  const countOf = (state: PortState) => [...states.values()].filter((each) => each === state).length;
  const openPorts = list.ports.filter((port) => states.get(port) === "open");
  const banners = protocol === "tcp" ? await readBanners(to, openPorts, environment.signal) : new Map();
  return {
    target: to.host,
    address: to.address,
    openPorts,
    totalScanned: list.ports.length,
    closed: countOf("closed"),
    silent: countOf("silent"),
    services: openPorts.map((port) => {
      const { banner = null, service = null } = banners.get(port) ?? {};
      return { port, protocol, service: service ?? usualService(port, protocol), banner };
    }),
    duration: Math.round(performance.now() - startedMs),
  };
}

interface Asked {
  to: Target;
  protocol: "tcp" | "udp";
  ports: readonly number[];
  timeoutMs: number;
}

/** What each port said. */
async function askPorts(
  { protocol, ...order }: Asked,
  { signal, tell }: ToolEnvironment,
): Promise<Map<number, PortState>> {
  const states = new Map<number, PortState>();
  const progress = followProgress(order.ports.length, (percent) =>
    tell({ type: "progress", progress: percent }),
  );
  try {
    const scanAll = protocol === "tcp" ? scanTcp : scanUdp;
    await scanAll({ ...order, signal }, (port, state) => {
      states.set(port, state);
      progress.count();
    });
  } finally {
    progress.stop();
  }
  return states;
}
