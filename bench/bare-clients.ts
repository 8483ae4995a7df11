/** The least that a client of each protocol could do to say and hear what a check does: no phases, no reasons, no guard. */
import { spawn } from "node:child_process";
import dgram from "node:dgram";
import { once } from "node:events";
import http2 from "node:http2";
import net from "node:net";
import tls from "node:tls";
import { WebSocket } from "ws";
import { healthRequest } from "../server/src/check/grpc-health.ts";
import { exchangeKeys, logInToPostgres } from "../server/test/harness/driver-clients.ts";
import { bareCheck } from "./bare-check.ts";
import type { KindsReady } from "./kinds-target.ts";

/** Connects, does what it has to, and is closed. */
export type BareClient = () => Promise<unknown>;

/** What was said, after how many bytes of the other side's. */
interface Said {
  afterBytes: number;
  bytes: Buffer;
}

/** Lets a check talk to a server through it once, and gives a client that says the same again at the same places. */
export async function replayOf(port: number, check: (port: number) => Promise<unknown>): Promise<BareClient> {
  const said: Said[] = [];
  let heardBytes = 0;
  const between = net.createServer((client) => {
    const server = net.connect(port, "127.0.0.1").on("error", () => {});
    client.on("error", () => {});
    client.on("data", (bytes: Buffer) => {
      said.push({ afterBytes: heardBytes, bytes });
      server.write(bytes);
    });
    server.on("data", (bytes) => {
      heardBytes += bytes.length;
      if (client.writable) client.write(bytes);
    });
    client.on("close", () => server.destroy());
  });
  await once(between.listen(0, "127.0.0.1"), "listening");
  await check((between.address() as net.AddressInfo).port);
  between.close();
  return () => replay(port, said, heardBytes);
}

function replay(port: number, said: readonly Said[], endBytes: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = net.connect({ host: "127.0.0.1", port }, () => goOn());
    let [next, heardBytes] = [0, 0];
    const goOn = () => {
      for (let one = said[next]; one !== undefined && one.afterBytes <= heardBytes; one = said[++next]) {
        socket.write(one.bytes);
      }
      if (next === said.length && heardBytes >= endBytes) socket.destroy();
    };
    socket.on("data", (bytes) => {
      heardBytes += bytes.length;
      goOn();
    });
    socket.on("close", () => resolve());
    socket.on("error", reject);
  });
}

/** A question and an answer over UDP. */
const datagram = (port: number, question: Buffer) => () =>
  new Promise<void>((resolve, reject) => {
    const socket = dgram.createSocket("udp4").on("error", reject);
    socket.once("message", () => socket.close(() => resolve()));
    socket.connect(port, "127.0.0.1", () => socket.send(question));
  });

/** A for here.test, with recursion wished for. */
const QUESTION = Buffer.from("\0\x01\x01\0\0\x01\0\0\0\0\0\0\x04here\x04test\0\0\x01\0\x01", "latin1");

async function askHealth(port: number): Promise<void> {
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

/** Opens a WebSocket, hears a message, says goodbye and hangs up, as the check does. */
const hearMessage = (port: number) =>
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
export function bareClients({ ports, ca }: KindsReady): Record<string, BareClient> {
  const at = (type: string) => ports[type] as number;
  const context = tls.createSecureContext({ ca });
  return {
    http: () => bareCheck(at("http")),
    tls: () => shakeHands(at("tls"), context),
    udp: datagram(at("udp"), Buffer.from("ping")),
    dns: datagram(at("dns"), QUESTION),
    grpc: () => askHealth(at("grpc")),
    postgres: () => logInToPostgres(at("postgres")),
    ssh: () => exchangeKeys(at("ssh")),
    websocket: () => hearMessage(at("websocket")),
    icmp: ping,
  };
}
