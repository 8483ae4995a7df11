import type { IncomingMessage, ServerResponse } from "node:http";
import net from "node:net";
import type { FastifyInstance } from "fastify";

/** What is under way when the server closes may take this long; whoever still reads then is cut off. */
const LIMIT_MS = 8_000;

/**
 * Makes closing wait until every answer under way has reached its client. Node's own close ends a
 * connection as soon as its answer is written, though a large one is still being sent. Register it
 * after the hooks that end live streams: preClose hooks run in order.
 */
export function closeGracefully(app: FastifyInstance): void {
  const underWay = new Set<object>();
  let onDone = () => {};
  // Before Fastify sees it, and also of what never gets there (public/status/front.ts).
  app.server.prependListener("request", (_request: IncomingMessage, response: ServerResponse) => {
    underWay.add(response);
    response.once("close", () => {
      underWay.delete(response);
      if (underWay.size === 0) onDone();
    });
  });
  app.addHook("preClose", async () => {
    // Only stops listening; http's close would also end the connections.
    net.Server.prototype.close.call(app.server);
    const { promise, resolve } = Promise.withResolvers<void>();
    onDone = resolve;
    if (underWay.size === 0) resolve();
    const limit = setTimeout(() => app.server.closeAllConnections(), LIMIT_MS);
    await promise;
    clearTimeout(limit);
  });
}
