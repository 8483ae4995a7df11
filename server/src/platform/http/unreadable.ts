import { randomUUID } from "node:crypto";
import { STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import type { FastifyInstance, FastifyReply } from "fastify";
import { msg } from "../i18n/message.ts";
import { breakOff } from "./body/read-body.ts";
import { type Exchange, type Exchanges, hasBody } from "./exchanges.ts";
import { failureOf, RefusedRequest, type RequestLimits, refusalOf } from "./refusals.ts";

/**
 * The router could not read the address, so no hook adds what answers carry. A path parameter longer than any
 * id or slug is unknown; the rest is malformed.
 */
export function answerBadAddress(error: { code?: string }, requestId: string, reply: FastifyReply): void {
  const isLong = error.code === "FST_ERR_MAX_PARAM_LENGTH";
  void reply
    .status(isLong ? 404 : 400)
    .headers({ "x-request-id": requestId, "x-content-type-options": "nosniff" })
    .send(failureOf(msg(isLong ? "request.not_found" : "request.address")));
}

/** What Node calls bytes that are not HTTP, too many, or too slow; anything else is a 400. */
const STATUS: Record<string, number> = {
  HPE_HEADER_OVERFLOW: 431,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
};

/** With an answer where one can still be sent. */
export type RefuseConnection = (socket: Socket, status: number) => void;

/**
 * In bytes, or while a body is coming by its own route, whose body ends here; one that accepts incomplete
 * bodies (heartbeats) answers as to the whole.
 */
export function refuseBy(exchanges: Exchanges, drop: DropRest): RefuseConnection {
  return (socket, status) => {
    const exchange = exchanges.of(socket);
    if (exchange && !exchange.request.complete) {
      const { response, reply } = exchange;
      // A second answer, or one in the middle of another, would be taken for part of the first.
      if (response.headersSent || reply?.sent) return void socket.destroy();
      if (reply) {
        reply.header("connection", "close");
        return breakOff(exchange.request, new RefusedRequest(status));
      }
    }
    answerLast(exchange, socket, answerBytes(status), drop);
  };
}

/** After those to the requests that were read whole before. */
export function answerLast(earlier: Exchange | null, socket: Socket, bytes: string, drop: DropRest): void {
  const send = () => {
    if (!socket.writable) return;
    socket.end(bytes);
    drop(socket);
  };
  if (earlier?.request.complete && !earlier.response.writableFinished) earlier.response.once("finish", send);
  else send();
}

export function answerNonsense(refuse: RefuseConnection) {
  const refused = new WeakSet<Socket>();
  return (error: Error & { code?: string }, socket: Socket): void => {
    const { code = "" } = error;
    // Node reports unreadable bytes again for each further piece, while these are dropped.
    if (refused.has(socket) && code.startsWith("HPE_")) return;
    refused.add(socket);
    if (code === "ECONNRESET" || !socket.writable) return void socket.destroy();
    refuse(socket, STATUS[code] ?? 400);
  };
}

/** For connections of which Node provides nothing but the socket. */
export function answerBytes(status: number, more: readonly string[] = []): string {
  const body = JSON.stringify(failureOf(refusalOf(status)));
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    "Content-Type: application/json; charset=utf-8",
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Request-Id: ${randomUUID()}`,
    "Connection: close",
    ...more,
  ];
  return `${head.join("\r\n")}\r\n\r\n${body}`;
}

const LOOK_MS = 50;

/** Until its time or its allowance is used up. */
type DropRest = (socket: Socket) => void;

/**
 * An answer may be out before the body is in. Closing a connection with unread bytes resets it, and the reset
 * overtakes the answer: so the rest is read and dropped first, up to a bound (RFC 9112 §9.6).
 */
export function dropRestOfBodies(
  app: FastifyInstance,
  exchanges: Exchanges,
  limits: RequestLimits,
): DropRest {
  const dropping = new Map<Socket, () => void>();
  const stop = (socket: Socket) => {
    dropping.get(socket)?.();
    dropping.delete(socket);
  };
  let isClosing = false;
  const drop: DropRest = (socket) => {
    if (dropping.has(socket) || socket.destroyed) return;
    // The server is closing: the rest of a request is not needed.
    if (isClosing) return void setImmediate(() => socket.destroy());
    const stopFollowing = follow(socket, limits);
    const onClose = () => stop(socket);
    socket.once("close", onClose);
    dropping.set(socket, () => {
      stopFollowing();
      // The connection may carry many more requests.
      socket.off("close", onClose);
    });
  };
  exchanges.onRequest(({ request, response, socket }) => {
    if (!hasBody(request)) return;
    // Before Node's own listener, which closes the connection when this was its last answer.
    response.prependOnceListener("finish", () => {
      if (request.complete || socket.destroyed) return;
      const { destroySoon } = socket;
      socket.destroySoon = () => void socket.end();
      drop(socket);
      request.once("end", () => {
        socket.destroySoon = destroySoon;
        stop(socket);
        if (socket.writableEnded) socket.destroySoon();
      });
    });
  });
  app.addHook("preClose", async () => {
    isClosing = true;
    for (const socket of dropping.keys()) socket.destroy();
  });
  return drop;
}

/** Ends the connection after too much, too long, or nothing more; returns a function that stops watching. */
function follow(socket: Socket, { dropBytes, dropMs, dropIdleMs }: RequestLimits): () => void {
  const startBytes = socket.bytesRead;
  const startedAt = performance.now();
  let lastBytes = startBytes;
  let quietSince = startedAt;
  const timer = setInterval(() => {
    const now = performance.now();
    if (socket.bytesRead > lastBytes) quietSince = now;
    lastBytes = socket.bytesRead;
    const isOver = lastBytes - startBytes > dropBytes || now - startedAt > dropMs;
    if (isOver || now - quietSince > dropIdleMs) socket.destroy();
  }, LOOK_MS);
  return () => clearInterval(timer);
}
