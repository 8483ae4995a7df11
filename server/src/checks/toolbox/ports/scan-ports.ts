import dgram from "node:dgram";
import net from "node:net";
import type { ResolvedAddress } from "../../../platform/formats/host.ts";
import { excerpt } from "../../../platform/i18n/message.ts";
import { textTable } from "../finding.ts";
import { Input, Output, type PortScan, type PortScanInput, Progress } from "../schemas/port-scan.ts";
import { type Target, targetAddress } from "../target-address.ts";
import { type ToolEnvironment, ToolError, tool } from "../tool.ts";
import { greetedService, portsToScan, usualService } from "./port-list.ts";
import { type PortState, type PortTurn, probeFor, runQueue, type ScanOrder, scanTcp } from "./port-queue.ts";

/** Ports where a request for nothing (HEAD) does no harm; what is sent elsewhere might be printed. */
const WEB_PORTS = new Set([80, 3000, 3128, 5000, 8000, 8008, 8080, 8081, 8888, 9000, 9090, 9200]);
const HEAD = (host: string) => `HEAD / HTTP/1.0\r\nHost: ${host}\r\nConnection: close\r\n\r\n`;
const WAIT_MS = 1_500;
const MAX_BYTES = 1_024;

interface Banner {
  /** Its greeting, or how a web server introduces itself; null where it said nothing in time. */
  banner: string | null;
  /** What it is by that, where that is plain. */
  service: string | null;
}

/** What a service says within a second and a half of being connected to. Never rejects. */
function readBanner(
  to: ResolvedAddress & { host: string },
  port: number,
  signal: AbortSignal,
): Promise<Banner> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve({ banner: null, service: null });
    const pieces: Buffer[] = [];
    let size = 0;
    const socket = net.connect({ host: to.address, port, family: to.family });
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", end);
      socket.destroy();
      resolve(bannerOf(Buffer.concat(pieces, Math.min(size, MAX_BYTES))));
    };
    const timer = setTimeout(end, WAIT_MS);
    signal.addEventListener("abort", end);
    socket.once("connect", () => {
      if (WEB_PORTS.has(port)) socket.write(HEAD(to.host.includes(":") ? `[${to.host}]` : to.host));
    });
    socket.on("data", (bytes: Buffer) => {
      pieces.push(bytes);
      size += bytes.length;
      if (size >= MAX_BYTES || isWhole(Buffer.concat(pieces))) end();
    });
    socket.once("error", end);
    socket.once("close", end);
  });
}

/** The first line is enough, but for HTTP, whose header says what the server is. */
const isWhole = (said: Buffer): boolean =>
  said.subarray(0, 5).toString("latin1") === "HTTP/" ? said.includes("\r\n\r\n") : said.includes("\n");

function bannerOf(said: Buffer): Banner {
  const text = said.toString("utf8");
  const [first = ""] = text.split("\n", 1);
  const [, server] = text.startsWith("HTTP/") ? (/^server: *([^\r\n]+)/im.exec(text) ?? []) : [];
  const banner = excerpt(server === undefined ? first : `${first.trim()}, ${server}`);
  return { banner: banner.trim() === "" ? null : banner, service: greetedService(text) };
}

const NO_ROOM = new Set(["EMFILE", "ENFILE", "ENOBUFS", "EAGAIN"]);

/**
 * Sends a request of the port's protocol, or an empty datagram. Open: it answers; closed: its machine says
 * so; else silent, which says nothing. Calls `done` for each with the answer; rejects with the signal's
 * reason.
 */
const scanUdp = (
  order: ScanOrder,
  done: (port: number, state: PortState, answer: Buffer | null) => void,
): Promise<void> => runQueue(order, (turn, port) => probePort(turn, order, port, done));

function probePort(
  turn: PortTurn,
  { to, timeoutMs }: ScanOrder,
  port: number,
  done: (port: number, state: PortState, answer: Buffer | null) => void,
): () => void {
  const socket = dgram.createSocket({
    type: to.family === 6 ? "udp6" : "udp4",
    // Also called for the address to bind to. There are no names.
    lookup: (address, _options, found) => found(null, address, to.family),
  });
  const probe = probeFor(port);
  let isFinished = false;
  const close = () => {
    clearTimeout(again);
    clearTimeout(timer);
    socket.close();
  };
  const finish = (state: PortState, answer: Buffer | null = null) => {
    if (isFinished) return;
    isFinished = true;
    close();
    done(port, state, answer);
  };
  const send = () => socket.send(probe);
  // Datagrams get lost.
  const again = setTimeout(send, timeoutMs / 2);
  const timer = setTimeout(finish, timeoutMs, "silent");
  socket.once("connect", send);
  socket.once("message", (answer) => finish("open", answer));
  socket.on("error", ({ code = "" }: NodeJS.ErrnoException) => {
    if (!isFinished && NO_ROOM.has(code) && turn.putBack()) {
      isFinished = true;
      return close();
    }
    finish(code === "ECONNREFUSED" ? "closed" : "silent");
  });
  socket.once("close", turn.end);
  socket.connect(port, to.address);
  return () => {
    if (!isFinished) close();
    isFinished = true;
  };
}

/** The kinds of BER that are read (X.690). */
const SEQUENCE = 0x30;
const OCTETS = 0x04;
const RESPONSE = 0xa2;

const NTP_LENGTH = 48;
const NTP_SERVER = 4;

/** What a server says of itself by its answer to the request of probeFor; null where that is nothing, or no such answer. */
export function datagramBanner(port: number, answer: Buffer): string | null {
  const said = port === 161 ? describedBySnmp(answer) : port === 123 ? describedByNtp(answer) : null;
  const banner = excerpt(said ?? "");
  return banner.trim() === "" ? null : banner;
}

/** The version and stratum of a time server (RFC 5905 §7.3). */
function describedByNtp(answer: Buffer): string | null {
  const [first = 0, stratum = 0] = answer;
  if (answer.length < NTP_LENGTH || (first & 7) !== NTP_SERVER) return null;
  return `NTPv${(first >> 3) & 7}, stratum ${stratum}`;
}

/** The sysDescr in a response (RFC 3416 §3): the value of its first variable. */
function describedBySnmp(answer: Buffer): string | null {
  const [, , pdu] = partsOf(partOf(answer, SEQUENCE));
  const [, , , variables] = pdu?.type === RESPONSE ? partsOf(pdu.value) : [];
  const [first] = variables?.type === SEQUENCE ? partsOf(variables.value) : [];
  const [, value] = first?.type === SEQUENCE ? partsOf(first.value) : [];
  return value?.type === OCTETS ? value.value.toString("utf8") : null;
}

interface Part {
  type: number;
  value: Buffer;
}

const partOf = (bytes: Buffer, type: number): Buffer => {
  const [part] = partsOf(bytes);
  return part?.type === type ? part.value : Buffer.alloc(0);
};

/** The parts of a value, as far as their lengths are right: a server may lie about them. */
function partsOf(bytes: Buffer): Part[] {
  const parts: Part[] = [];
  for (let at = 0; at + 2 <= bytes.length; ) {
    const [type = 0, short = 0] = bytes.subarray(at);
    const more = short < 0x80 ? 0 : short & 0x7f;
    if (more > 3 || at + 2 + more > bytes.length) break;
    const length = more === 0 ? (short === 0x80 ? 0 : short) : bytes.readUIntBE(at + 2, more);
    const from = at + 2 + more;
    if (from + length > bytes.length) break;
    parts.push({ type, value: bytes.subarray(from, from + length) });
    at = from + length;
  }
  return parts;
}

const AT_ONCE = 20;
/** A host that answers on every port says nothing by that. */
const MAX_READ = 100;

/** What listens on these ports says of itself, of the first hundred. */
async function readBanners(
  to: Target,
  ports: readonly number[],
  signal: AbortSignal,
): Promise<Map<number, Banner>> {
  const banners = new Map<number, Banner>();
  const waiting = ports.slice(0, MAX_READ);
  const readInTurn = async () => {
    for (let port = waiting.shift(); port !== undefined; port = waiting.shift()) {
      banners.set(port, await readBanner(to, port, signal));
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, readInTurn));
  signal.throwIfAborted();
  return banners;
}

const AT_LEAST_MS = 900;

/** Reports the percentage of `total` at once, whenever it is another one, and each second at least. */
export function followProgress(total: number, reportProgress: (percent: number) => void) {
  let counted = 0;
  let reported = -1;
  const say = () => {
    reported = Math.floor((counted / total) * 100);
    reportProgress(reported);
    timer.refresh();
  };
  const timer = setInterval(say, AT_LEAST_MS);
  say();
  return {
    count() {
      counted += 1;
      if (Math.floor((counted / total) * 100) !== reported) say();
    },
    stop: () => clearInterval(timer),
  };
}

/** Which ports of a host are open, and what listens there. */
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
  const scanOrder = { to, protocol, ports: list.ports, timeoutMs };
  const { states, openPorts, banners } = await probePorts(scanOrder, environment);
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

interface ProbeOrder {
  to: Target;
  protocol: "tcp" | "udp";
  ports: readonly number[];
  timeoutMs: number;
}

/** What each port said, and what listens on the open ones; reports its progress all the while. */
async function probePorts({ protocol, ...order }: ProbeOrder, { signal, reportProgress }: ToolEnvironment) {
  const states = new Map<number, PortState>();
  const answered = new Map<number, Banner>();
  const progress = followProgress(order.ports.length, (percent) =>
    reportProgress({ type: "progress", progress: percent }),
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
