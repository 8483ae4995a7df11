import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { FastifyInstance, FastifyReply } from "fastify";

export interface Exchange {
  request: IncomingMessage;
  response: ServerResponse;
  /** The connection: once a stream has destroyed the request, that no longer has it. */
  socket: Socket;
  /** Null for requests that no hook has seen, such as one whose address cannot be read. */
  reply: FastifyReply | null;
}

export interface Exchanges {
  /** Null once the last request was read whole and its answer written. */
  of(socket: Socket): Exchange | null;
  /** Called for each request as soon as its header has been read, before any other hook. */
  onRequest(listener: (exchange: Exchange) => void): void;
}

/** The state of a connection's exchange, made once for each: a WeakMap that keeps changing is costly to collect. */
interface Place {
  exchange: Exchange | null;
}

/**
 * For whatever has to end a connection in the middle of a request. What has ended is released at once: else
 * it would be promoted to the old generation.
 */
export function followExchanges(app: FastifyInstance): Exchanges {
  const places = new WeakMap<Socket, Place>();
  const listeners: ((exchange: Exchange) => void)[] = [];
  app.server.prependListener("request", (request: IncomingMessage, response: ServerResponse) => {
    const { socket } = request;
    const exchange = { request, response, socket, reply: null };
    const place = places.get(socket) ?? { exchange };
    if (place.exchange === exchange) places.set(socket, place);
    place.exchange = exchange;
    response.once("finish", () => {
      // The next one may have begun; and what comes of a body after its answer is part of this one.
      if (place.exchange === exchange && request.complete) place.exchange = null;
    });
    for (const listener of listeners) listener(exchange);
  });
  app.addHook("onRequest", (request, reply, done) => {
    const exchange = request.raw.socket && places.get(request.raw.socket)?.exchange;
    if (exchange) exchange.reply = reply;
    done();
  });
  return {
    of: (socket) => places.get(socket)?.exchange ?? null,
    onRequest: (listener) => void listeners.push(listener),
  };
}

export const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;
