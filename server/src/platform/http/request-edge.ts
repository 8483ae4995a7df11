import { AsyncLocalStorage } from "node:async_hooks";
import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { FastifyInstance } from "fastify";
import { msg } from "../i18n/message.ts";
import { type Exchange, type Exchanges, followExchanges, hasBody } from "./begin-in-turns.ts";
import { RefusedRequest, type RequestLimits } from "./errors.ts";
import {
  answerBytes,
  answerLast,
  answerNonsense,
  dropRestOfBodies,
  type RefuseConnection,
  refuseBy,
} from "./route-schema.ts";

/** The methods that some address of ours answers to. */
const ALLOW = "Allow: DELETE, GET, HEAD, PATCH, POST, PUT";

/** Handles bytes that are not HTTP, slow or forbidden requests, and bodies that no route reads. */
export function guardEdge(app: FastifyInstance, limits: RequestLimits): void {
  const exchanges = followExchanges(app);
  const drop = dropRestOfBodies(app, exchanges, limits);
  const refuse = refuseBy(exchanges, drop);
  cutSlowBodies(app, exchanges, limits, refuse);
  boundParser(exchanges, refuse);
  // Node would answer these itself, or not at all; this way they get our envelope, an id and a line in the log.
  app.server.on("checkExpectation", (request: IncomingMessage, response: ServerResponse) => {
    app.server.emit("request", request, response);
  });
  app.server.on("connect", (_request: IncomingMessage, socket: Socket) => {
    // Node has let go of the connection: an error without a listener would end the process.
    socket.on("error", () => socket.destroy());
    answerLast(exchanges.of(socket), socket, answerBytes(405, [ALLOW]), drop);
  });
  app.addHook("onRequest", ({ raw }, reply, done) => {
    // Gone already, without an address to log. Once read, Node remembers the address.
    if (raw.socket?.remoteAddress === undefined) return void reply.hijack();
    done(forbidden(raw));
  });
  // Instead of Fastify's own, which knows nothing of what is under way.
  app.server.removeAllListeners("clientError");
  app.server.on("clientError", answerNonsense(refuse));
}

/** Requests that a connection may send before the first of them is answered; browsers and clients of today send one. */
const MAX_PIPELINED = 20;
/** So many chunks that are read at once may not have fewer bytes on average: each costs as much as one of 64 KB. */
const CHUNKS = 1_000;
const LEAST_CHUNK_BYTES = 16;

/** The functions that Node's parser calls, by its class's numbers for them. */
interface Parser {
  [slot: number]: unknown;
  constructor: { kOnHeadersComplete: number; kOnBody: number; kOnMessageComplete: number };
}

/**
 * Ends a connection after its twentieth pipelined request, and one with a body of tiny chunks: Node handles
 * all of the 64 KB that it reads at a time within one turn.
 */
function boundParser(exchanges: Exchanges, refuse: RefuseConnection): void {
  const waiting = new WeakMap<Socket, number>();
  exchanges.onRequest(({ socket, request, response }) => {
    const count = (waiting.get(socket) ?? 0) + 1;
    waiting.set(socket, count);
    response.once("close", () => waiting.set(socket, (waiting.get(socket) ?? 1) - 1));
    if (count >= MAX_PIPELINED) {
      response.shouldKeepAlive = false;
      ignoreNext(socket);
    }
    if (request.headers["transfer-encoding"] === undefined) return;
    countChunks(request, () => {
      ignore(socket, "kOnBody");
      refuse(socket, 400);
    });
  });
}

/** Of each read by itself: what comes line by line, as a job's log may, leaves the turns between to others. */
function countChunks(request: IncomingMessage, onTooMany: () => void): void {
  const { socket } = request;
  let bytesRead = 0;
  let chunks = 0;
  let bytes = 0;
  const push = request.push.bind(request);
  request.push = (chunk: Uint8Array | null) => {
    if (socket.bytesRead !== bytesRead) {
      ({ bytesRead } = socket);
      chunks = bytes = 0;
    }
    chunks += 1;
    bytes += chunk?.length ?? 0;
    if (chunks === CHUNKS) {
      if (bytes < CHUNKS * LEAST_CHUNK_BYTES) onTooMany();
      chunks = bytes = 0;
    }
    return push(chunk);
  };
}

/** Makes nothing of what comes after the request under way, whose own body is still read: not of further bodies, either. */
function ignoreNext(socket: Socket): void {
  ignore(socket, "kOnHeadersComplete");
  replace(
    socket,
    "kOnMessageComplete",
    (own) =>
      function onMessageComplete(this: unknown, ...all) {
        const given = own.apply(this, all);
        ignore(socket, "kOnBody");
        ignore(socket, "kOnMessageComplete");
        return given;
      },
  );
}

/** A parser without the function reads on to the end of what has come, and makes nothing of it. */
const ignore = (socket: Socket, what: keyof Parser["constructor"]): void => replace(socket, what, () => null);

type ParserFunction = (this: unknown, ...all: unknown[]) => unknown;

/** As long as the parser is this connection's. */
function replace(
  socket: Socket,
  what: keyof Parser["constructor"],
  by: (own: ParserFunction) => ParserFunction | null,
): void {
  const { parser } = socket as Socket & { parser?: Parser };
  const slot = parser?.constructor[what];
  const own = slot !== undefined && parser?.[slot];
  if (!parser || slot === undefined || !own) return;
  parser[slot] = by(own as ParserFunction);
  // Before Node gives the parser to another connection; what was replaced first is put back last.
  socket.prependOnceListener("close", () => void (parser[slot] = own));
}

/** What RFC 9112 §3.2 and §6.1 and RFC 9110 §10.1.1 say must be refused. */
function forbidden({ headers, rawHeaders, httpVersionMinor }: IncomingMessage): Error | undefined {
  if (headers.host === undefined ? httpVersionMinor > 0 : namesTwoHosts(rawHeaders)) {
    return new RefusedRequest(400, msg("request.host"));
  }
  const { expect, "transfer-encoding": coding } = headers;
  // Node undoes the chunks and would hand on what is compressed as if it were not (RFC 9112 §6.1).
  if (coding !== undefined && !/^chunked$/i.test(coding)) return new RefusedRequest(501);
  return expect === undefined || /^100-continue$/i.test(expect) ? undefined : new RefusedRequest(417);
}

/** Node keeps the first; a proxy in front may have gone by the last. */
export function namesTwoHosts(rawHeaders: readonly string[]): boolean {
  let hosts = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] as string;
    if (name.length === 4 && name.toLowerCase() === "host") hosts++;
  }
  return hosts > 1;
}

interface Receiving {
  since: number;
  bytesBefore: number;
}

/** Ends requests whose body comes more slowly than over any line in use today. Node's own limit is for the whole time only. */
function cutSlowBodies(
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
    // Once it has been answered, the rest is only dropped (route-schema.ts).
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

const REQUEST_ID = /^[\w-]{1,64}$/;

/** Its client's id for it, where that is a name. */
export function requestIdOf({ headers }: Pick<IncomingMessage, "headers">): string {
  const given = headers["x-request-id"];
  return typeof given === "string" && REQUEST_ID.test(given) ? given : randomUUID();
}

const causes = new AsyncLocalStorage<Socket | undefined>();

export interface Faults {
  /** Ends the connection that led to an exception; false where none did, so that the process's state is unknown. */
  contain(error: unknown): boolean;
  count(): number;
}

/**
 * An unexpected exception ends its connection instead of the server (docs/adr/0077). Requests, promises,
 * timers and streams are attributed by async context, events of the socket where they are emitted.
 */
export function containFaults(app: FastifyInstance): Faults {
  let count = 0;
  const end = (socket: Socket, error: unknown) => {
    count += 1;
    app.log.error(
      { err: error, address: socket.remoteAddress ?? null },
      "A connection was closed after an unexpected exception",
    );
    socket.destroy();
  };
  const emit = app.server.emit.bind(app.server) as (...event: unknown[]) => boolean;
  app.server.emit = (...event: unknown[]) => {
    const [name, socket] = event as [string, Socket];
    if (name !== "connection") return emit(...event);
    guardEvents(socket, (error) => end(socket, error));
    return causes.run(socket, () => emit(...event));
  };
  return {
    contain(error) {
      const socket = causes.getStore();
      // The exception left the context open: what begins next would be taken for this connection's.
      causes.enterWith(undefined);
      if (socket) end(socket, error);
      return socket !== undefined;
    },
    count: () => count,
  };
}

function guardEvents(socket: Socket, onFault: (error: unknown) => void): void {
  const emit = socket.emit.bind(socket) as (...event: unknown[]) => boolean;
  socket.emit = (...event: unknown[]) => {
    try {
      return emit(...event);
    } catch (error) {
      onFault(error);
      return true;
    }
  };
}
