import { AsyncResource } from "node:async_hooks";
import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { msg } from "../i18n/message.ts";
import { RefusedRequest } from "./errors.ts";
import type { HttpCall } from "./listing.ts";
import { clientNetwork, siteOfNetwork } from "./visitor.ts";

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

/** So many requests begin in one turn of the event loop: most hold it for 0.3 to 2 ms each. */
const BEGUN = 8;
/** And of those whose tenant is known by then so many go on: tenants with many addresses wait here. */
const GONE_ON = 4;
/** So many come to the router in one turn, which takes 20 to 40 µs each. */
const ROUTED = 32;
const RETRY_SECONDS = 1;

/** What shows that the server is alive, and files that never change: they have turns of their own. */
const QUICK = /^(?:\/(?:api\/|v2\/|api\/v2\/)health|\/assets\/.+)$/;

/** What has been received counts, whether or not its client waits for the answer. */
const COUNTS_ANYWAY = /^\/api\/heartbeats\//;

interface Waiting {
  go(): void;
  refuse(): void;
  /** Its client has left. */
  isGone(): boolean;
}

/** Lets so many go in one turn of the event loop: those of one owner in their order, and the owners one after the other. */
interface Line {
  /** Whether one may go in this turn, which is counted. */
  goesNow(): boolean;
  /** One that may not: it goes in a later turn, or is refused. */
  wait(owner: string, one: Waiting): void;
}

export interface LineOptions {
  perTurn: number;
  most: number;
  /** Whom an owner belongs to, who may have many; default: one group. */
  groupOf?: (owner: string) => string;
}

/**
 * Beyond `most`, the last of the owner with most waiting in the group with most is refused; of several as
 * large, of the one that has waited longest: a crowd does not shut newcomers out.
 */
export function createLine({ perTurn, most, groupOf = (owner) => owner }: LineOptions): Line {
  const waiting = new Map<string, Waiting[]>();
  let count = 0;
  let free = perTurn;
  let isAwaited = false;
  const awaitTurn = () => {
    if (!isAwaited) setImmediate(beginTurn);
    isAwaited = true;
  };
  const beginTurn = () => {
    isAwaited = false;
    free = perTurn;
    for (const [owner, own] of waiting) {
      if (free === 0) break;
      const one = own.shift() as Waiting;
      // What is added to a map while it is iterated comes last: an owner with more of them comes round again.
      waiting.delete(owner);
      if (own.length > 0) waiting.set(owner, own);
      count -= 1;
      if (one.isGone()) continue;
      free -= 1;
      one.go();
    }
    if (free < perTurn || count > 0) awaitTurn();
  };
  const refuseOne = () => {
    const longest = ownerOfMost(waiting, groupOf);
    const own = waiting.get(longest) ?? [];
    const last = own.pop();
    if (own.length === 0) waiting.delete(longest);
    count -= 1;
    last?.refuse();
  };
  return {
    goesNow() {
      awaitTurn();
      if (free === 0 || count > 0) return false;
      free -= 1;
      return true;
    },
    wait(owner, one) {
      const own = waiting.get(owner) ?? [];
      if (own.push(one) === 1) waiting.set(owner, own);
      count += 1;
      if (count > most) refuseOne();
    },
  };
}

function ownerOfMost(
  waiting: ReadonlyMap<string, readonly Waiting[]>,
  groupOf: (owner: string) => string,
): string {
  const groups = new Map<string, Map<string, number>>();
  const sizes = new Map<string, number>();
  for (const [owner, own] of waiting) {
    const group = groupOf(owner);
    groups.set(group, (groups.get(group) ?? new Map()).set(owner, own.length));
    sizes.set(group, (sizes.get(group) ?? 0) + own.length);
  }
  return largest(groups.get(largest(sizes)) ?? new Map());
}

/** Of several that are as large the first. */
function largest(sizes: ReadonlyMap<string, number>): string {
  let [most, found] = [0, ""];
  for (const [name, size] of sizes) if (size > most) [most, found] = [size, name];
  return found;
}

/** Null: it may go on at once. Rejects with 503 where too many wait. */
export interface Turns {
  /** That of its address, to begin. */
  ofAddress(request: FastifyRequest): Promise<void> | null;
  /** That of its tenant, once this is known. */
  ofTenant(request: FastifyRequest, organizationId: number): Promise<void> | null;
}

/**
 * Lets few requests begin in one turn, one address after the other, so that hundreds at one moment delay no
 * other client (docs/adr/0078). `most`: how many may wait.
 */
export function beginInTurns(app: FastifyInstance, most: number): Turns {
  const addresses = createLine({ perTurn: BEGUN, most, groupOf: siteOfNetwork });
  const quick = createLine({ perTurn: BEGUN, most });
  const tenants = createLine({ perTurn: GONE_ON, most });
  const turns: Turns = {
    ofAddress(request) {
      // By connection: behind one proxy, a client must not wait for a whole crowd.
      if (QUICK.test(request.routeOptions.url ?? ""))
        return quick.goesNow()
          ? null
          : turnIn(quick, `${request.ip} ${request.raw.socket?.remotePort}`, request);
      return addresses.goesNow() ? null : turnIn(addresses, clientNetwork(request.ip), request);
    },
    ofTenant: (request, organizationId) =>
      tenants.goesNow() ? null : turnIn(tenants, String(organizationId), request),
  };
  app.addHook("onRequest", async (request) => {
    const turn = turns.ofAddress(request);
    if (turn) await turn;
  });
  return turns;
}

/** Stays pending for a client that has left: answering it would cost a turn. A heartbeat counts all the same. */
function turnIn(line: Line, owner: string, { raw: { socket }, routeOptions }: FastifyRequest): Promise<void> {
  const isWanted = COUNTS_ANYWAY.test(routeOptions.url ?? "");
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  // No error that is logged: a line for each refusal would cost more than the refusal.
  const refuse = () => reject(new RefusedRequest(503, msg("request.unavailable"), RETRY_SECONDS));
  line.wait(owner, { go: resolve, refuse, isGone: () => !isWanted && (socket?.destroyed ?? false) });
  return promise;
}

/**
 * Node reads all that two hundred connections carry in a single turn: these come to the router connection by
 * connection. `most`: how many may wait; those beyond are refused.
 */
export function routeInTurns(route: RequestListener, most: number): RequestListener {
  const line = createLine({ perTurn: ROUTED, most });
  return (request, response) => {
    if (line.goesNow()) return void route(request, response);
    // What goes wrong later is put down to this connection (containFaults), not to the one that went last.
    const go = AsyncResource.bind(() => void route(request, response));
    const { socket } = request;
    // What has been received counts, whether or not its client is still there: the lines behind this one know of what.
    line.wait(`${socket.remoteAddress} ${socket.remotePort}`, { go, refuse: go, isGone: () => false });
  };
}

/** More than the longest check, its way into the store and an answer. */
const LONG_MS = 90_000;

/** A check may be silent for a minute, which is taken for a stalled connection elsewhere. Node goes back by itself. */
export async function allowLongCheck(_input: unknown, { request }: HttpCall): Promise<void> {
  request.raw.socket?.setTimeout(LONG_MS);
}
