import type net from "node:net";
import { Duplex } from "node:stream";
import type { TLSSocket } from "node:tls";
import { guarded } from "../deadline.ts";
import { type Dialled, type DialWay, dial, newConnection, redial, startTls } from "../dial.ts";
import { isReset, socketFailed } from "../reasons.ts";
import { headerOf, headersOf, headerValues } from "./http-headers.ts";
import type { HttpRequest } from "./http-request.ts";
import { newResponseReader, type ResponseReader, takeBytes, takeEnd } from "./http-response.ts";
import { bodyFailed, lastsUntilClose } from "./http-response-body.ts";
import {
  beginTransfer,
  type Exchange,
  type ExchangeOptions,
  type ExchangeResult,
  exchangeHttp2,
  fail,
  finish,
  keepFirst,
  type Running,
  stopRunning,
} from "./http-running.ts";

/** Type, version (2 bytes) and length (2 bytes) of a record (RFC 8446 §5.1). */
const HEADER_BYTES = 5;

export interface RecordState {
  /** How much of a record's header has come; 0 within its content, and between two records. */
  headerBytes: number;
  /** How much of a record's content is still to come, by its header. */
  missingBytes: number;
}

/** Follows the records through the next bytes of a stream. */
export function followRecords(state: RecordState, bytes: Buffer): void {
  let at = 0;
  while (at < bytes.length) {
    if (state.headerBytes === 0 && state.missingBytes > 0) {
      const taken = Math.min(state.missingBytes, bytes.length - at);
      state.missingBytes -= taken;
      at += taken;
      continue;
    }
    const byte = bytes[at++] as number;
    state.headerBytes++;
    if (state.headerBytes === HEADER_BYTES - 1) state.missingBytes = byte << 8;
    if (state.headerBytes < HEADER_BYTES) continue;
    state.missingBytes |= byte;
    state.headerBytes = 0;
  }
}

export const isInsideRecord = ({ headerBytes, missingBytes }: RecordState): boolean =>
  headerBytes > 0 || missingBytes > 0;

/** A connected socket to run TLS over that knows its position in the server's records. */
interface Tap {
  stream: Duplex;
  records: RecordState;
}

/**
 * TLS cannot say whether the connection ended within a record. Costs a tenth of a check's CPU time, so it is
 * used only where needed. Destroying the stream destroys the socket.
 */
function tapRecords(socket: net.Socket): Tap {
  const records: RecordState = { headerBytes: 0, missingBytes: 0 };
  const stream = new Duplex({
    read: () => void socket.resume(),
    write: (bytes: Buffer, _encoding, done) => void socket.write(bytes, done),
    final: (done) => void socket.end(done),
    destroy: (error, done) => {
      socket.destroy();
      done(error);
    },
  });
  socket.on("data", (bytes: Buffer) => {
    followRecords(records, bytes);
    if (!stream.push(bytes)) socket.pause();
  });
  socket.on("end", () => stream.push(null));
  socket.on("error", (error) => stream.destroy(error));
  return { stream, records };
}

interface EndOfBody {
  /** The position in TLS records, if that is tracked. */
  records: RecordState | null;
  /** Where TLS would have to be tracked and is not: sends the request once more. Called once the socket is closed. */
  again: (() => void) | null;
}

/** HTTP/1 on a socket to be: `onread` goes into its options, `start` is called once it may be written to. */
interface Http1Reading {
  onread: net.OnReadOpts;
  /** Sends the request. `streamed`: the socket was made without `onread`. */
  start(socket: net.Socket, streamed: boolean, end: EndOfBody): void;
}

/** One buffer for every socket: a read is handed on before the next begins. Not so with Windows' overlapped reads. */
const shared = Buffer.allocUnsafeSlow(65_536);
const readBuffer = () => (process.platform === "win32" ? Buffer.allocUnsafeSlow(65_536) : shared);

/** Carries an exchange on in HTTP/1.1 (RFC 9112) over a socket of its own. */
function readHttp1(run: Running): Http1Reading {
  const { options, request } = run;
  const reader = newResponseReader(request.method, ({ statusCode, head }) =>
    options.bodyLimit(statusCode, (name) => headerOf(head, name)),
  );
  const accept = guarded(options.fault, (bytes: Buffer) => take(run, reader, bytes));
  return {
    onread: {
      buffer: readBuffer(),
      callback: (count, buffer) => {
        if (run.connection.isOver) return false;
        accept((buffer as Buffer).subarray(0, count));
        return true;
      },
    },
    start: (socket, streamed, end) => send(run, reader, socket, streamed, end),
  };
}

function send(
  run: Running,
  reader: ResponseReader,
  socket: net.Socket,
  streamed: boolean,
  { records, again }: EndOfBody,
): void {
  run.connection.stage = "answer";
  const { fault } = run.options;
  const ended = guarded(fault, () => {
    if (run.connection.isOver) return;
    if (again !== null && reader.state === "body" && reader.body !== null && lastsUntilClose(reader.body)) {
      if (socket.closed) again();
      else socket.destroy();
      return;
    }
    const isCut = records !== null && isInsideRecord(records);
    if (isCut) run.first = null;
    takeEnd(reader, isCut ? "cut" : "closed");
    proceed(run, reader);
  });
  const failed = guarded(fault, (error: Error) => {
    if (run.connection.isOver) return;
    if (run.connection.stage !== "body" || !isReset(error))
      return fail(run, socketFailed(error, run.connection.stage, run.connection.where));
    takeEnd(reader, "reset");
    proceed(run, reader);
  });
  socket.on("end", ended);
  socket.on("close", ended);
  socket.on("error", failed);
  const accept = guarded(fault, (bytes: Buffer) => take(run, reader, bytes));
  if (streamed) socket.on("data", (bytes: Buffer) => !run.connection.isOver && accept(bytes));
  run.connection.since = performance.now();
  socket.write(run.request.bytes);
}

function take(run: Running, reader: ResponseReader, bytes: Buffer): void {
  if (!run.answering) beginTransfer(run);
  takeBytes(reader, bytes);
  proceed(run, reader);
}

/** Goes by what the reader made of the bytes, or of their end. */
function proceed(run: Running, reader: ResponseReader): void {
  const { state, head, body, failure } = reader;
  if (state === "head") return;
  if (run.answer === null && (state !== "failed" || body !== null)) {
    run.options.trace.protocol = head.startsWith("HTTP/1.0") ? "http/1.0" : "http/1.1";
    run.answer = {
      statusCode: reader.statusCode,
      statusText: () => /^\S+ \d+ ?([^\r\n]*)/.exec(head)?.[1] ?? "",
      header: (name) => headerOf(head, name),
      headers: () => headersOf(head),
      setCookies: () => headerValues(head, "set-cookie"),
      body,
    };
  }
  if (state === "body") run.connection.stage = "body";
  else if (state === "done") finish(run);
  else if (body !== null) fail(run, bodyFailed(run.connection.where, body));
  else if (failure !== null) fail(run, failure(run.connection.where));
}

/** Servers that were found to speak nothing but HTTP/2: they are offered it first. Bounded, oldest out. */
const http2Only = new Set<string>();
/** Those found to end a body over TLS by closing the connection: their records are followed. */
const untilClose = new Set<string>();
const MAX_HOSTS = 5000;

function keep(hosts: Set<string>, host: string): void {
  if (hosts.size >= MAX_HOSTS && !hosts.has(host)) hosts.delete(hosts.keys().next().value as string);
  hosts.add(host);
}

const OFFER_HTTP1 = ["http/1.1"];
const OFFER_HTTP2 = ["h2", "http/1.1"];

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
      finish(run);
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

/** The body lasted until the connection was closed; whether within a TLS record was not seen. Only that is checked now. */
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
