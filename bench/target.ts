/**
 * What the checks of the benches connect to, in a process of its own. With the argument `kinds` a server of every kind of check that
 * one process can speak: the conversations of the tests. Else an HTTP server that answers as cheaply as it can: a few bytes, at
 * /page 16 KiB, at /gzip the same compressed; with `tls` over TLS. Sends its parent where it listens, and the certificate (PEM) of the CA to
 * trust.
 */
import dgram from "node:dgram";
import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { createServer as createTlsServer } from "node:tls";
import { gzipSync } from "node:zlib";
import { testCa } from "../server/test/harness/certificates.ts";
import { CONVERSATIONS, type Conversation } from "../server/test/harness/conversations.ts";

/** The first message. */
export interface TargetReady {
  port: number;
  ca: string;
}

const BODY = Buffer.from("<!doctype html><title>ok</title>");
const PAGE = Buffer.from(
  Array.from({ length: 16_384 / 64 }, (_, n) => `<p class="c${n % 7}">${n * 7919}</p>`.padEnd(64)).join(""),
);

const answerOf = (body: Buffer, header = "") =>
  Buffer.concat([
    Buffer.from(
      `HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n${header}Content-Length: ${body.length}\r\nConnection: close\r\n\r\n`,
    ),
    body,
  ]);
const ANSWER = answerOf(BODY);
/** By the first letter of the path. */
const ANSWERS: Record<number, Buffer> = {
  [0x70]: answerOf(PAGE),
  [0x67]: answerOf(gzipSync(PAGE), "Content-Encoding: gzip\r\n"),
};
const LETTER_AT = "GET /".length;
const BACKLOG = 4096;

const answer = (socket: Socket) => {
  socket.once("data", (request) => socket.end(ANSWERS[request[LETTER_AT] as number] ?? ANSWER));
  socket.on("error", () => {});
};
async function serveHttp(): Promise<void> {
  const ca = process.argv[2] === "tls" ? await testCa() : null;
  const server = ca ? createTlsServer({ ...(await ca.issue("valid")) }, answer) : createServer(answer);
  server.listen(0, "127.0.0.1", BACKLOG, () => {
    process.send?.({ port: (server.address() as AddressInfo).port, ca: ca?.pem ?? "" } satisfies TargetReady);
  });
}

/** The first message of `kinds`. */
export interface KindsReady {
  ports: Record<string, number>;
  ca: string;
}

async function listen({ talk, answer }: Conversation): Promise<number> {
  if (answer !== undefined) {
    const socket = dgram.createSocket("udp4").bind(0, "127.0.0.1");
    socket.on("message", (datagram, { port }) => socket.send(answer(datagram), port, "127.0.0.1"));
    await once(socket, "listening");
    return socket.address().port;
  }
  const begin = await talk?.();
  const server = createServer((socket) => {
    socket.on("error", () => {});
    begin?.(socket);
  });
  server.listen(0, "127.0.0.1", BACKLOG);
  await once(server, "listening");
  return (server.address() as AddressInfo).port;
}

async function serveKinds(): Promise<void> {
  const ports: KindsReady["ports"] = {};
  for (const [type, conversation] of Object.entries(CONVERSATIONS)) ports[type] = await listen(conversation);
  process.send?.({ ports, ca: (await testCa()).pem } satisfies KindsReady);
}

process.on("disconnect", () => process.exit(0));
await (process.argv[2] === "kinds" ? serveKinds() : serveHttp());
