import { Input, Output, type PortScan, type PortScanInput, Progress } from "../../wire/toolbox/port-scan.ts";
import { type Target, targetAddress } from "../target-address.ts";
import { textTable } from "../text-table.ts";
import { type ToolEnvironment, ToolError, tool } from "../tool.ts";
import { datagramBanner } from "./datagram-banner.ts";
import { portsToScan } from "./port-list.ts";
import { followProgress } from "./progress.ts";
import type { Banner } from "./read-banner.ts";
import { readBanners } from "./read-banners.ts";
import { type PortState, scanTcp } from "./scan-tcp.ts";
import { scanUdp } from "./scan-udp.ts";
import { usualService } from "./service-names.ts";

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

async function scan(input: PortScanInput, environment: ToolEnvironment): Promise<PortScan> {
  const startedMs = performance.now();
  const { scanType = "quick", protocol = "tcp", timeout: timeoutMs = 1_000 } = input;
  const list = portsToScan(scanType, protocol, input.ports);
  if ("problem" in list) throw new ToolError(list.problem, "ports");
  const to = await targetAddress(input.target, "target", environment);
  const asked = { to, protocol, ports: list.ports, timeoutMs };
  const { states, openPorts, banners } = await askPorts(asked, environment);
  const countOf = (state: PortState) => [...states.values()].filter((each) => each === state).length;
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

/** What each port said, and what listens on the open ones; tells all the while how far it is. */
async function askPorts({ protocol, ...order }: Asked, { signal, tell }: ToolEnvironment) {
  const states = new Map<number, PortState>();
  const answered = new Map<number, Banner>();
  const progress = followProgress(order.ports.length, (percent) =>
    tell({ type: "progress", progress: percent }),
  );
  try {
    const done = (port: number, state: PortState, answer: Buffer | null = null) => {
      states.set(port, state);
      if (answer !== null) answered.set(port, { banner: datagramBanner(port, answer), service: null });
      progress.count();
    };
    const scanAll = protocol === "tcp" ? scanTcp : scanUdp;
    await scanAll({ ...order, signal }, done);
    const openPorts = order.ports.filter((port) => states.get(port) === "open");
    const banners = protocol === "tcp" ? await readBanners(order.to, openPorts, signal) : answered;
    return { states, openPorts, banners };
  } finally {
    progress.stop();
  }
}
