import type { TLSSocket } from "node:tls";
import { type Dialled, type DialWay, dial, newConnection, redial, startTls } from "./dial.ts";
import type { HttpRequest } from "./http-request.ts";
import {
  type Exchange,
  type ExchangeOptions,
  type ExchangeResult,
  fail,
  keepFirst,
  type Running,
  settle,
  stopRunning,
} from "./http-running.ts";
import { type EndOfBody, type Http1Reading, readHttp1 } from "./http1-exchange.ts";
import { exchangeHttp2 } from "./http2-exchange.ts";
import { tapRecords } from "./tls-records.ts";

/** Servers that were found to speak nothing but HTTP/2: they are offered it first. Bounded, oldest out. */
const http2Only = new Set<string>();
/** Those found to end a body over TLS by closing the connection: their records are followed. */
const untilClose = new Set<string>();
const KEPT = 5000;

function keep(hosts: Set<string>, host: string): void {
  if (hosts.size >= KEPT && !hosts.has(host)) hosts.delete(hosts.keys().next().value as string);
  hosts.add(host);
}

const OFFER_HTTP1 = ["http/1.1"];
const OFFER_HTTP2 = ["h2", "http/1.1"];

/** How the request is sent. */
interface Way {
  /** Offer HTTP/2 first. */
  http2: boolean;
  /** Follow the TLS records. */
  tapped: boolean;
}

/** Methods whose request may be sent once more to see how its answer ends (RFC 9110 §9.2.1). */
const REPEATABLE = new Set(["GET", "HEAD", "OPTIONS"]);

/** Of several servers that answer to one name, each is known by itself. */
const serverOf = ({ origin, url }: HttpRequest) => `${url.host} ${origin.host} ${origin.port}`;

function wayOf(request: HttpRequest): Way {
  const server = serverOf(request);
  const tapped = request.origin.secure && (untilClose.has(server) || !REPEATABLE.has(request.method));
  return { http2: http2Only.has(server), tapped };
}

/** Sends a request over a new connection (RFC 9112, 9113) and calls back once, never synchronously. */
export function exchange(
  request: HttpRequest,
  options: ExchangeOptions,
  done: (result: ExchangeResult) => void,
): Exchange {
  const { host, literal, port, serverName } = request.origin;
  const { network, trace, ignoreCertificate, legacyRenegotiation, resolveSinceMs, fault } = options;
  const run: Running = {
    connection: newConnection({
      host,
      literal,
      port,
      network,
      trace,
      ignoreCertificate,
      serverName,
      legacyRenegotiation,
      resolveSinceMs,
      fault,
    }),
    request,
    options,
    answer: null,
    answering: false,
    first: null,
    done,
    cancel: () => stopRunning(run),
    conclude: () => {
      if (run.first === null || run.connection.isOver) return false;
      settle(run);
      return true;
    },
  };
  connect(run, dial, wayOf(request));
  return run;
}

function connect(run: Running, by: typeof dial, way: Way): void {
  const { connection } = run;
  const reading = readHttp1(run);
  const isTls = run.request.origin.secure;
  const alpn = way.http2 ? OFFER_HTTP2 : OFFER_HTTP1;
  const dialWay: DialWay = {
    alpn: isTls && !way.tapped ? alpn : null,
    // HTTP/2 and the record tap take the socket over and must find it unread.
    onread: way.http2 || way.tapped ? undefined : reading.onread,
  };
  const secured = (end: EndOfBody): Dialled => ({
    connected: (socket) => speak(run, socket as TLSSocket, reading, way, end),
    failed: (failure, error) => {
      // The server offers HTTP/2 and nothing else: once more to the same address, offering that.
      if (!way.http2 && error?.code === "ERR_SSL_TLSV1_ALERT_NO_APPLICATION_PROTOCOL")
        return connect(run, redial, { ...way, http2: true });
      fail(run, failure);
    },
  });
  if (dialWay.alpn !== null) {
    by(connection, dialWay, secured({ records: null, again: () => repeatTapped(run, way) }));
    return;
  }
  by(connection, dialWay, {
    connected: (socket) => {
      if (!isTls) return reading.start(socket, false, { records: null, again: null });
      const { stream, records } = tapRecords(socket);
      startTls(connection, stream, alpn, secured({ records, again: null }));
    },
    failed: (failure) => fail(run, failure),
  });
}

/** The body lasted until the connection was closed; whether within a TLS record was not seen. Only that is asked now. */
function repeatTapped(run: Running, way: Way): void {
  keep(untilClose, serverOf(run.request));
  if (run.answer !== null) keepFirst(run, run.answer);
  connect(run, redial, { ...way, tapped: true });
}

function speak(run: Running, socket: TLSSocket, reading: Http1Reading, way: Way, end: EndOfBody): void {
  if (socket.alpnProtocol !== "h2") return reading.start(socket, way.http2 || way.tapped, end);
  keep(http2Only, serverOf(run.request));
  exchangeHttp2(run, socket);
}
