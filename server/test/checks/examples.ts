import { generateKeyPairSync } from "node:crypto";
import dgram from "node:dgram";
import { once } from "node:events";
import https from "node:https";
import net from "node:net";
import { Duplex } from "node:stream";
import tls from "node:tls";
import ssh2 from "ssh2";
import { onTestFinished } from "vitest";
import { WebSocketServer } from "ws";
import type { CheckType, checkKinds } from "../../src/checks/registry.ts";
import { testCa } from "../harness/certificates.ts";
import { missingServers } from "../harness/daemons.ts";
import { startDnsTarget } from "../harness/dns-target.ts";
import { startGrpcTarget } from "./grpc-target.ts";
import { startMongodbTarget } from "./mongodb-target.ts";
import { greetingOfMysql } from "./mysql-greeting.ts";

/** A check, and a server that it passes with. */
export interface Example {
  config(port: number): object;
  /** What the server sends over TLS, each in a record of its own: once it has been spoken to, unless it speaks first. */
  says: readonly (string | Uint8Array)[];
  speaksFirst?: boolean;
  /** What this machine has not got of what it needs. */
  lacks?: string | null;
  /** What it sends in the clear before TLS is requested. */
  greets?: Uint8Array;
  /** Instead of all that: a server of its own, and its port. */
  listens?: () => Promise<number>;
  /** What it answers to a request for TLS; absent where TLS comes first. */
  offers?: string;
}

async function answerDatagrams(): Promise<number> {
  const socket = dgram.createSocket("udp4");
  socket.on("message", (said, { port }) => socket.send(said, port, "127.0.0.1"));
  socket.bind(0, "127.0.0.1");
  await once(socket, "listening");
  onTestFinished(() => void socket.close());
  return socket.address().port;
}

async function handleRequests(): Promise<number> {
  const { server, close } = await startDnsTarget({ "here.test": { a: ["192.0.2.1"] } });
  onTestFinished(() => close());
  return Number(server.split(":")[1]);
}

async function startSecuredWebsocket(): Promise<number> {
  const server = https.createServer(await (await testCa()).issue("valid", ["localhost"]));
  const sockets = new WebSocketServer({ server });
  sockets.on("connection", (socket) => socket.send("hello"));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    for (const socket of sockets.clients) socket.terminate();
    server.close();
  });
  return (server.address() as net.AddressInfo).port;
}

async function startSshServer(): Promise<number> {
  const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const hostKeys = [String(privateKey.export({ type: "pkcs1", format: "pem" }))];
  const server = new ssh2.Server({ hostKeys }, (client) => client.on("error", () => {}));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return (server.address() as net.AddressInfo).port;
}

async function startHealthy(): Promise<number> {
  const { port, close } = await startGrpcTarget({ certificate: "valid" });
  onTestFinished(() => close());
  return port;
}

const secured = (port: number) => ({ host: "localhost", port, security: "tls" });

/** Checks that go through everything their kind can measure, over TLS where it knows that. */
export const EXAMPLES: {
  [T in CheckType as (typeof checkKinds)[T] extends { run: unknown } ? T : never]: Example;
} = {
  http: {
    config: (port) => ({ url: `https://localhost:${port}/` }),
    says: ["HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n", "ok"],
  },
  tcp: {
    config: (port) => ({ host: "localhost", port, tls: true, send: "HELO\r\n", expect: "250 " }),
    says: ["250-", "SIZE\r\n250 "],
  },
  smtp: {
    config: (port) => ({ host: "localhost", port, security: "tls" }),
    says: ["220 ready\r\n", "250 mx.example\r\n"],
    speaksFirst: true,
  },
  tls: { config: (port) => ({ host: "localhost", port }), says: [] },
  udp: {
    config: (port) => ({ host: "localhost", port, send: "ping" }),
    says: [],
    listens: answerDatagrams,
  },
  dns: {
    config: (port) => ({ hostname: "here.test", server: "localhost", port }),
    says: [],
    listens: handleRequests,
  },
  websocket: {
    config: (port) => ({ host: "localhost", port, expect: "hello" }),
    says: [],
    listens: startSecuredWebsocket,
  },
  mqtt: {
    config: (port) => ({ host: "localhost", port, tls: true }),
    says: [Uint8Array.of(0x20, 2), Uint8Array.of(0, 0)],
  },
  ssh: { config: (port) => ({ host: "localhost", port }), says: [], listens: startSshServer },
  mysql: {
    config: (port) => ({ host: "localhost", port, user: "me" }),
    greets: greetingOfMysql(),
    says: [Uint8Array.of(7, 0, 0, 3), Uint8Array.of(0, 0, 0, 2, 0, 0, 0)],
  },
  grpc: { config: (port) => ({ host: "localhost", port }), says: [], listens: startHealthy },
  icmp: {
    config: () => ({ host: "localhost", count: 1 }),
    says: [],
    lacks: missingServers("ping"),
  },
  mongodb: {
    config: (port) => ({ host: "localhost", port, tls: true }),
    says: [],
    listens: async () => (await startMongodbTarget({ certificate: "valid" })).port,
  },
  imap: { config: secured, says: ["* OK ", "ready\r\n"], speaksFirst: true },
  pop3: { config: secured, says: ["+OK ", "ready\r\n"], speaksFirst: true },
  ftp: { config: secured, says: ["220 ", "ready\r\n"], speaksFirst: true },
  redis: { config: (port) => ({ host: "localhost", port, tls: true }), says: ["+PO", "NG\r\n"] },
  postgres: {
    config: (port) => ({ host: "localhost", port, user: "me", database: "here" }),
    offers: "S",
    says: [Uint8Array.from([0x52, 0, 0, 0, 8, 0, 0, 0, 0]), Uint8Array.from([0x5a, 0, 0, 0, 5, 0x49])],
  },
};

const MYSQL_REQUEST_BYTES = 36;

/** Starts the server of an example until the test ends; gives its port. */
export const startExample = async (example: Example): Promise<number> =>
  example.listens?.() ?? startServer(example);

async function startServer({ greets, offers, says, speaksFirst = false }: Example): Promise<number> {
  const credentials = await (await testCa()).issue("valid", ["localhost"]);
  const open = new Set<net.Socket>();
  const server = net.createServer(async (socket) => {
    open.add(socket.on("error", () => {}));
    if (greets !== undefined) {
      socket.write(greets);
      await once(socket, "readable");
      socket.read(MYSQL_REQUEST_BYTES);
    }
    if (offers !== undefined) {
      await once(socket, "data");
      socket.write(offers);
    }
    // The handshake may have come with the request for it; what is buffered a socket would not hand on.
    const stream =
      greets === undefined ? socket : Duplex.from({ readable: socket as never, writable: socket as never });
    const secured = new tls.TLSSocket(stream as net.Socket, { isServer: true, ...credentials }).on(
      "error",
      () => {},
    );
    if (!speaksFirst) await once(secured, "data");
    for (const piece of says) secured.write(piece);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    for (const socket of open) socket.destroy();
    server.close();
  });
  return (server.address() as net.AddressInfo).port;
}
