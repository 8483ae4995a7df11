import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { FastifyInstance, FastifyReply } from "fastify";

/** The request that a connection carries now, or carried last. */
export interface Exchange {
  request: IncomingMessage;
  response: ServerResponse;
  /** Null for what no hook has seen, such as an address that cannot be read. */
  reply: FastifyReply | null;
}

/** What goes on over each connection. */
export interface Exchanges {
  of(socket: Socket): Exchange | undefined;
  /** Told of each request as soon as its header was read, before anybody else. */
  onRequest(listener: (exchange: Exchange) => void): void;
}

/** Follows the requests of a server, for those who have to end a connection in the middle of one. */
export function followExchanges(app: FastifyInstance): Exchanges {
  const exchanges = new WeakMap<Socket, Exchange>();
  const listeners: ((exchange: Exchange) => void)[] = [];
  app.server.prependListener("request", (request: IncomingMessage, response: ServerResponse) => {
    const exchange = { request, response, reply: null };
    exchanges.set(request.socket, exchange);
    for (const listener of listeners) listener(exchange);
  });
  app.addHook("onRequest", (request, reply, done) => {
    const exchange = exchanges.get(request.raw.socket);
    if (exchange) exchange.reply = reply;
    done();
  });
  return {
    of: (socket) => exchanges.get(socket),
    onRequest: (listener) => void listeners.push(listener),
  };
}

/** Whether a request says that a body follows its header. */
export const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;
