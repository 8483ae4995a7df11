/** The target of bench/http-check.ts: answers every request the same, as cheaply as it can. */
import { type AddressInfo, createServer } from "node:net";

const BODY = "<!doctype html><title>ok</title>";
const ANSWER = `HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: ${BODY.length}\r\nConnection: close\r\n\r\n${BODY}`;

const server = createServer((socket) => {
  socket.once("data", () => socket.end(ANSWER));
  socket.on("error", () => {});
});
server.listen(0, "127.0.0.1", 4096, () => process.send?.((server.address() as AddressInfo).port));
process.on("disconnect", () => process.exit(0));
