import { createHash, generateKeyPairSync } from "node:crypto";
import http2 from "node:http2";
import type net from "node:net";
import tls from "node:tls";
import { type Document, serialize } from "bson";
import dnsPacket from "dns-packet";
import ssh2 from "ssh2";
import { greetingOfMysql } from "../checks/mysql-greeting.ts";
import { testCa } from "./certificates.ts";

/** What a server says to a client over one connection. */
export type Talk = (socket: net.Socket) => void;

/** A server of a protocol that says what is needed to pass a check, and no more; what it listens on is the caller's. */
export interface Conversation {
  /** A monitor of it that passes; `localhost` is where it has a certificate for. */
  config(port: number): object;
  /** What it does with connections; one of it and `answer`. */
  talk?(): Promise<Talk>;
  /** What it answers to a datagram. */
  answer?(query: Buffer): Buffer;
}

const host = "127.0.0.1";
const login = { security: "none", user: "watch", password: "open-sesame" };

/** Says the greeting, and to each line the answer of what it begins with. */
const lines =
  (greeting: string, answers: Readonly<Record<string, string>> = {}) =>
  async (): Promise<Talk> =>
  (socket) => {
    if (greeting !== "") socket.write(greeting);
    socket.on("data", (bytes) => {
      for (const line of bytes.toString("latin1").split("\r\n").slice(0, -1)) {
        const begin = Object.keys(answers).find((one) => line.startsWith(one));
        if (begin !== undefined) socket.write(answers[begin] as string);
      }
    });
  };

/** Says one thing after the other, whatever it receives. */
const inTurn =
  (...answers: readonly Buffer[]) =>
  async (): Promise<Talk> =>
  (socket) => {
    const left = answers.values();
    socket.on("data", () => {
      const { value } = left.next();
      if (value !== undefined) socket.write(value);
    });
  };

/** A reply of MongoDB's to the first request of a connection, which is how our checks number theirs. */
function ofMongodb(document: Document): Buffer {
  const body = serialize(document);
  const head = Buffer.alloc(21);
  for (const [at, value] of [21 + body.length, 7, 1, 2013].entries()) head.writeInt32LE(value, 4 * at);
  return Buffer.concat([head, body]);
}

const OK_OF_MYSQL = Buffer.from([7, 0, 0, 2, 0, 0, 0, 2, 0, 0, 0]);
/** It lets everybody in, and is ready. */
const WELCOME_OF_POSTGRES = Buffer.from([0x52, 0, 0, 0, 8, 0, 0, 0, 0, 0x5a, 0, 0, 0, 5, 0x49]);
const SERVING = Buffer.from([0, 0, 0, 0, 2, 0x08, 1]);

const talkMysql = async (): Promise<Talk> => (socket) => {
  socket.write(greetingOfMysql());
  socket.once("data", () => socket.write(OK_OF_MYSQL));
};

const talkWebsocket = async (): Promise<Talk> => (socket) => {
  socket.once("data", (request) => {
    const [, key = ""] = /sec-websocket-key: (\S+)/i.exec(String(request)) ?? [];
    const hash = createHash("sha1").update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest("base64");
    const upgrade = "Upgrade: websocket\r\nConnection: Upgrade";
    const head = `HTTP/1.1 101 Switching Protocols\r\n${upgrade}\r\nSec-WebSocket-Accept: ${hash}\r\n\r\n`;
    socket.write(`${head}\x81\x04pong`, "latin1");
  });
};

async function talkGrpc(): Promise<Talk> {
  const server = http2.createServer();
  server.on("stream", (stream: http2.ServerHttp2Stream) => {
    stream.on("error", () => {});
    stream.resume();
    stream.respond({ ":status": 200, "content-type": "application/grpc" }, { waitForTrailers: true });
    stream.on("wantTrailers", () => stream.sendTrailers({ "grpc-status": "0" }));
    stream.end(SERVING);
  });
  server.on("sessionError", () => {});
  return (socket) => void server.emit("connection", socket);
}

async function talkSsh(): Promise<Talk> {
  const { privateKey } = generateKeyPairSync("ec", { namedCurve: "prime256v1" });
  const hostKeys = [String(privateKey.export({ type: "sec1", format: "pem" }))];
  const server = new ssh2.Server({ hostKeys }, (client) => client.on("error", () => {}));
  return (socket) => server.injectSocket(socket);
}

async function talkTls(): Promise<Talk> {
  const secureContext = tls.createSecureContext(await (await testCa()).issue("valid", ["localhost"]));
  return (socket) => {
    new tls.TLSSocket(socket, { isServer: true, secureContext }).on("error", () => {}).resume();
  };
}

function answerDns(query: Buffer): Buffer {
  const { id = 0, questions = [] } = dnsPacket.decode(query);
  const name = questions[0]?.name ?? "";
  return dnsPacket.encode({
    type: "response",
    id,
    questions,
    answers: [{ type: "A", name, ttl: 60, data: "192.0.2.1" }],
  });
}

/** By kind, but for those that no server in a process can speak (icmp) and the given ones. */
export const CONVERSATIONS = {
  http: {
    config: (port) => ({ url: `http://${host}:${port}/` }),
    talk: async () => (socket) =>
      void socket.once("data", () => socket.end("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")),
  },
  tcp: { config: (port) => ({ host, port, expect: "ready\r\n" }), talk: lines("220 ready\r\n") },
  udp: { config: (port) => ({ host, port, send: "ping", expect: "ping" }), answer: (bytes) => bytes },
  dns: { config: (port) => ({ hostname: "here.test", server: host, port }), answer: answerDns },
  tls: { config: (port) => ({ host: "localhost", port }), talk: talkTls },
  smtp: {
    config: (port) => ({ host, port, ...login }),
    talk: lines("220 ready\r\n", {
      EHLO: "250-mx.example\r\n250 AUTH PLAIN\r\n",
      AUTH: "235 welcome\r\n",
      QUIT: "221 goodbye\r\n",
    }),
  },
  imap: {
    config: (port) => ({ host, port, ...login }),
    talk: lines("* OK ready\r\n", {
      "v2 AUTH": "+ \r\n",
      AHdhdGNo: "v2 OK in\r\n",
      v3: "* BYE\r\nv3 OK\r\n",
    }),
  },
  pop3: {
    config: (port) => ({ host, port, ...login }),
    talk: lines("+OK ready\r\n", { USER: "+OK\r\n", PASS: "+OK in\r\n", QUIT: "+OK goodbye\r\n" }),
  },
  ftp: {
    config: (port) => ({ host, port, ...login }),
    talk: lines("220 ready\r\n", { USER: "331 who?\r\n", PASS: "230 in\r\n", QUIT: "221 goodbye\r\n" }),
  },
  ssh: { config: (port) => ({ host, port }), talk: talkSsh },
  websocket: { config: (port) => ({ host, port, tls: false, expect: "pong" }), talk: talkWebsocket },
  grpc: { config: (port) => ({ host, port, tls: false }), talk: talkGrpc },
  postgres: {
    config: (port) => ({ host, port, tls: false, user: "watch", database: "shop" }),
    talk: inTurn(WELCOME_OF_POSTGRES),
  },
  mysql: { config: (port) => ({ host, port, tls: false, user: "watch" }), talk: talkMysql },
  redis: {
    config: (port) => ({ host, port }),
    talk: inTurn(Buffer.from("+PONG\r\n"), Buffer.from("+PONG\r\n")),
  },
  mongodb: {
    config: (port) => ({ host, port }),
    talk: inTurn(ofMongodb({ ok: 1, isWritablePrimary: true }), ofMongodb({ ok: 1 })),
  },
  mqtt: {
    config: (port) => ({ host, port, topic: "t" }),
    talk: inTurn(Buffer.from([0x20, 2, 0, 0]), Buffer.from([0x90, 3, 0, 1, 0])),
  },
} satisfies Record<string, Conversation>;
