/**
 * What the checks of the benches ask: a server in a process of its own that answers as cheaply as it
 * can: a few bytes, at /page 16 KiB, at /gzip the same compressed. With the argument `tls` over TLS. Tells its
 * parent where it is, and the certificate (PEM) of the CA to trust.
 */
import { type AddressInfo, createServer, type Socket } from "node:net";
import { createServer as createTlsServer } from "node:tls";
import { gzipSync } from "node:zlib";
import { testCa } from "../server/test/harness/certificates.ts";

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
const ca = process.argv[2] === "tls" ? await testCa() : null;
const server = ca ? createTlsServer({ ...(await ca.issue("valid")) }, answer) : createServer(answer);
server.listen(0, "127.0.0.1", BACKLOG, () => {
  process.send?.({ port: (server.address() as AddressInfo).port, ca: ca?.pem ?? "" } satisfies TargetReady);
});
process.on("disconnect", () => process.exit(0));
