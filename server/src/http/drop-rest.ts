import type { Socket } from "node:net";
import type { FastifyInstance } from "fastify";
import { type Exchanges, hasBody } from "./exchanges.ts";
import type { RequestLimits } from "./request-limits.ts";

const LOOK_MS = 50;

/** Reads and drops what arrives on a connection until its time or its allowance is used up. */
export type DropRest = (socket: Socket) => void;

/**
 * An answer may be out before the request's body is in: 401, 413 … A connection that is closed with bytes in it that
 * nobody read is reset, and the reset overtakes the answer. So the rest is read and dropped, up to a bound
 * (as nginx does, `lingering_close`; RFC 9112 §9.6), and only then is the connection closed.
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
    // The server is closing: nobody waits for the rest of a request.
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

/**
 * Ends the connection once too much has come, or for too long, or nothing more; returns a function that stops
 * watching.
 */
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
