/**
 * What the checks of the benches ask: a server in a process of its own that answers every request the
 * same, as cheaply as it can. With the argument `tls` over TLS. Tells its parent where it is, and the
 * certificate (PEM) of the CA to trust.
 */
import { type AddressInfo, createServer, type Socket } from "node:net";
import { createServer as createTlsServer } from "node:tls";
import { testCa } from "../server/test/harness/certificates.ts";

/** The first message. */
export interface TargetReady {
  port: number;
  ca: string;
}

const BODY = "<!doctype html><title>ok</title>";
const ANSWER = `HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: ${BODY.length}\r\nConnection: close\r\n\r\n${BODY}`;
const BACKLOG = 4096;

const answer = (socket: Socket) => {
  socket.once("data", () => socket.end(ANSWER));
  socket.on("error", () => {});
};
const ca = process.argv[2] === "tls" ? await testCa() : null;
const server = ca ? createTlsServer({ ...(await ca.issue("valid")) }, answer) : createServer(answer);
server.listen(0, "127.0.0.1", BACKLOG, () => {
  process.send?.({ port: (server.address() as AddressInfo).port, ca: ca?.pem ?? "" } satisfies TargetReady);
});
process.on("disconnect", () => process.exit(0));
