import type { FastifyInstance } from "fastify";
import { type Exchange, type Exchanges, hasBody } from "./exchanges.ts";
import type { RequestLimits } from "./request-limits.ts";
import type { RefuseConnection } from "./unreadable.ts";

interface Receiving {
  since: number;
  bytesBefore: number;
}

/**
 * Ends requests whose body comes more slowly than over any line in use today. Node's own limit is for the whole time
 * only.
 */
export function cutSlowBodies(
  app: FastifyInstance,
  exchanges: Exchanges,
  limits: RequestLimits,
  refuse: RefuseConnection,
): void {
  const receiving = new Map<Exchange, Receiving>();
  exchanges.onRequest((exchange) => {
    const { request, response, socket } = exchange;
    if (!hasBody(request)) return;
    receiving.set(exchange, { since: performance.now(), bytesBefore: socket.bytesRead });
    const forget = () => receiving.delete(exchange);
    request.once("end", forget);
    // Once it has been answered, the rest is only dropped (drop-rest.ts).
    response.once("finish", forget);
    response.once("close", forget);
  });
  const look = () => {
    const now = performance.now();
    for (const [exchange, { since, bytesBefore }] of receiving) {
      const { socket } = exchange;
      const { complete } = exchange.request;
      const leastBytes = ((now - since) / 1000) * limits.leastBytesPerSecond;
      const isSlow = now - since >= limits.slowAfterMs && socket.bytesRead - bytesBefore < leastBytes;
      if (!complete && !isSlow) continue;
      receiving.delete(exchange);
      // A body that is here in full and unread waits for us, not for its client.
      if (!complete) refuse(socket, 408);
    }
  };
  const timer = setInterval(look, limits.checkMs).unref();
  app.addHook("onClose", async () => clearInterval(timer));
}
