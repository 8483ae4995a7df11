/**
 * CPU time of one check of each kind on loopback, 16 under way at once, beside the bare client of its protocol in the
 * same process: the driver where there is one (pg, ssh2, node:http2), else sockets that say the same bytes at the same
 * places. tcp, dns and tls are compared with prometheus-blackbox-exporter too, where it is installed. The servers are a process
 * of their own (target.ts). All take turns, so that a machine that is busy now and then is so for all of them.
 *
 *   npm run bench -- kinds
 *   node bench/kinds.ts smtp dns                    only these
 */

import { spawn } from "node:child_process";
import dgram from "node:dgram";
import { once } from "node:events";
import http2 from "node:http2";
import net from "node:net";
import tls from "node:tls";
import { WebSocket } from "ws";
import type { ActiveKind } from "../server/src/checks/check.ts";
import { healthRequest } from "../server/src/checks/grpc.ts";
import { activeKind, checkKinds } from "../server/src/checks/registry.ts";
import { createResolver } from "../server/src/checks/resolve.ts";
import { CONVERSATIONS, type Conversation } from "../server/test/harness/conversations.ts";
import { exchangeKeys, logInToPostgres } from "../server/test/harness/driver-clients.ts";
import { type Blackbox, bareCheck, startBlackbox } from "./baselines.ts";
import { type Measurement, machineLoad, median, report, startBeside } from "./harness.ts";
import type { KindsReady } from "./target.ts";

/** The least that a client of each protocol could do to send and receive what a check does: no phases, no reasons, no guard. */

/** Connects, does what it has to, and is closed. */
type BareClient = () => Promise<unknown>;

/** What was said, after how many bytes of the other side's. */
interface Said {
  afterBytes: number;
  bytes: Buffer;
}

/** Lets a check talk to a server through it once, and gives a client that says the same again at the same places. */
async function replayOf(port: number, check: (port: number) => Promise<unknown>): Promise<BareClient> {
  const said: Said[] = [];
  let receivedBytes = 0;
  const between = net.createServer((client) => {
    const server = net.connect(port, "127.0.0.1").on("error", () => {});
    client.on("error", () => {});
    client.on("data", (bytes: Buffer) => {
      said.push({ afterBytes: receivedBytes, bytes });
      server.write(bytes);
    });
    server.on("data", (bytes) => {
      receivedBytes += bytes.length;
      if (client.writable) client.write(bytes);
    });
    client.on("close", () => server.destroy());
  });
  await once(between.listen(0, "127.0.0.1"), "listening");
  await check((between.address() as net.AddressInfo).port);
  between.close();
  return () => replay(port, said, receivedBytes);
}

function replay(port: number, said: readonly Said[], endBytes: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = net.connect({ host: "127.0.0.1", port }, () => goOn());
    let [next, receivedBytes] = [0, 0];
    const goOn = () => {
      for (let one = said[next]; one !== undefined && one.afterBytes <= receivedBytes; one = said[++next]) {
        socket.write(one.bytes);
      }
      if (next === said.length && receivedBytes >= endBytes) socket.destroy();
    };
    socket.on("data", (bytes) => {
      receivedBytes += bytes.length;
      goOn();
    });
    socket.on("close", () => resolve());
    socket.on("error", reject);
  });
}

/** A request and an answer over UDP. */
const datagram = (port: number, datagramSent: Buffer) => () =>
  new Promise<void>((resolve, reject) => {
    const socket = dgram.createSocket("udp4").on("error", reject);
    socket.once("message", () => socket.close(() => resolve()));
    socket.connect(port, "127.0.0.1", () => socket.send(datagramSent));
  });

/** A for here.test, with recursion wished for. */
const DNS_QUERY = Buffer.from("\0\x01\x01\0\0\x01\0\0\0\0\0\0\x04here\x04test\0\0\x01\0\x01", "latin1");

async function requestHealth(port: number): Promise<void> {
  const session = http2.connect(`http://127.0.0.1:${port}`);
  const stream = session.request({
    ":method": "POST",
    ":path": "/grpc.health.v1.Health/Check",
    "content-type": "application/grpc",
    te: "trailers",
  });
  stream.resume().end(healthRequest(""));
  await once(stream, "close");
  session.destroy();
}

/** A full handshake, and the certificate looked at. */
const shakeHands = (port: number, secureContext: tls.SecureContext) =>
  new Promise<void>((resolve, reject) => {
    const options = { host: "127.0.0.1", port, secureContext, servername: "localhost" };
    const socket = tls.connect({ ...options, checkServerIdentity: () => undefined }, () => {
      if (socket.getPeerX509Certificate()?.fingerprint256 === undefined) reject(new Error("no certificate"));
      socket.destroy();
    });
    socket.getPeerCertificate = () => ({}) as tls.DetailedPeerCertificate;
    socket.on("close", () => resolve());
    socket.on("error", reject);
  });

/** Opens a WebSocket, receives a message, says goodbye and hangs up, as the check does. */
const expectMessage = (port: number) =>
  new Promise<void>((resolve, reject) => {
    const socket = new WebSocket(`ws://127.0.0.1:${port}/`, { perMessageDeflate: false });
    socket.on("message", () => {
      socket.close(1000);
      socket.terminate();
    });
    socket.on("close", () => resolve());
    socket.on("error", reject);
  });

async function ping(): Promise<void> {
  const child = spawn("ping", ["-4", "-n", "-c", "1", "127.0.0.1"], { stdio: ["ignore", "pipe", "pipe"] });
  child.stdout.resume();
  await once(child, "close");
}

/** Clients of protocols that are more than bytes back and forth; the others are replayed. */
function bareClients({ ports, ca }: KindsReady): Record<string, BareClient> {
  const at = (type: string) => ports[type] as number;
  const context = tls.createSecureContext({ ca });
  return {
    http: () => bareCheck(at("http")),
    tls: () => shakeHands(at("tls"), context),
    udp: datagram(at("udp"), Buffer.from("ping")),
    dns: datagram(at("dns"), DNS_QUERY),
    grpc: () => requestHealth(at("grpc")),
    postgres: () => logInToPostgres(at("postgres")),
    ssh: () => exchangeKeys(at("ssh")),
    websocket: () => expectMessage(at("websocket")),
    icmp: ping,
  };
}

const AT_ONCE = 16;
const ROUNDS = 5;
/** Enough to be measured as a probe runs them, compiled and not for the first time. */
const CHECKS_A_ROUND = 1_500;
/** Those that start a program, or compute keys. */
const FEW: Readonly<Record<string, number>> = { icmp: 40, ssh: 80 };
const MOST = 2;
const TIMEOUT_MS = 10_000;

type Run = () => Promise<unknown>;

const conversations: Record<string, Conversation> = CONVERSATIONS;
const target = await startBeside<KindsReady>("target.ts", ["kinds"]);
const { ports, ca } = target.ready;
const environment = {
  network: { resolver: createResolver({ servers: ["127.0.0.1:1"] }), policy: "all" as const, ca: [ca] },
  timeoutMs: TIMEOUT_MS,
};
const clients = bareClients(target.ready);
const blackbox = await startBlackbox(ca);

/** What blackbox_exporter is sent for the same. */
const BESIDE: Readonly<Record<string, { module: string; target: string }>> = {
  tcp: { module: "tcp", target: `127.0.0.1:${ports["tcp"]}` },
  tls: { module: "tls", target: `localhost:${ports["tls"]}` },
  dns: { module: "dns", target: `127.0.0.1:${ports["dns"]}` },
};

const wanted = process.argv.slice(2);
const kinds = Object.values(checkKinds)
  .flatMap(({ type }) => activeKind(type) ?? [])
  .filter(({ type }) => wanted.length === 0 || wanted.includes(type));

const measured: Measurement[] = [];
for (const kind of kinds) measured.push(...(await measure(kind)));
blackbox?.stop();
target.child.disconnect();
report([...measured, { name: "load of the machine", value: machineLoad(), unit: "processes" }]);

function checkOf(kind: ActiveKind): (port: number) => Promise<void> {
  return async (port) => {
    const config = conversations[kind.type]?.config(port) ?? { host: "127.0.0.1", count: 1 };
    const { verdict, reason } = await kind.run(config as never, environment);
    if (verdict !== "ok") throw new Error(`A check of kind ${kind.type} failed: ${JSON.stringify(reason)}`);
  };
}

async function measure(kind: ActiveKind): Promise<Measurement[]> {
  const { type } = kind;
  const port = ports[type] ?? 0;
  const check = checkOf(kind);
  const bare = clients[type] ?? (await replayOf(port, check));
  const times = FEW[type] ?? CHECKS_A_ROUND;
  const costs = { check: [] as number[], bare: [] as number[], blackbox: [] as number[] };
  for (let round = 0; round <= ROUNDS; round++) {
    const found = {
      check: await ownCost(times, () => check(port)),
      bare: await ownCost(times, bare),
      blackbox: blackbox && BESIDE[type] ? await costOf(blackbox, times, BESIDE[type]) : null,
    };
    // The first round warms up.
    if (round === 0) continue;
    costs.check.push(found.check);
    costs.bare.push(found.bare);
    if (found.blackbox !== null) costs.blackbox.push(found.blackbox);
  }
  return compare(type, costs);
}

function compare(type: string, costs: Record<"check" | "bare" | "blackbox", number[]>): Measurement[] {
  const unit = "µs CPU a check";
  const over = (name: "bare" | "blackbox", shown: string, atMost: number): Measurement => {
    const ratios = costs.check.map((cost, round) => cost / (costs[name][round] as number));
    return { name: `${type}, over ${shown}`, value: median(ratios), unit: "times", target: { atMost } };
  };
  return [
    { name: type, value: median(costs.check), unit },
    { name: `${type}, bare client`, value: median(costs.bare), unit },
    over("bare", "the bare client", MOST),
    ...(costs.blackbox.length > 0
      ? [
          { name: `${type}, blackbox_exporter`, value: median(costs.blackbox), unit },
          over("blackbox", "blackbox_exporter", 1),
        ]
      : []),
  ];
}

/** Microseconds of this process's CPU that one run takes. */
async function ownCost(times: number, run: Run): Promise<number> {
  const before = process.cpuUsage();
  await repeat(times, run);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / times;
}

async function costOf(
  { probe, cpuSeconds }: Blackbox,
  times: number,
  { module, target: checked }: { module: string; target: string },
): Promise<number> {
  const before = cpuSeconds();
  await repeat(times, () => probe(checked, module));
  return ((cpuSeconds() - before) * 1e6) / times;
}

async function repeat(times: number, run: Run): Promise<void> {
  let left = times;
  const work = async () => {
    while (left-- > 0) await run();
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
}
