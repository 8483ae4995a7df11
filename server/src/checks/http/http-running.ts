import http2 from "node:http2";
import type { TLSSocket } from "node:tls";
import { msg } from "../../platform/i18n/message.ts";
import type { Trace } from "../check.ts";
import { type Fault, guarded } from "../deadline.ts";
import { type Connection, hangUp } from "../dial.ts";
import type { Network } from "../network.ts";
import { type Ended, inWords, type Reason } from "../reasons.ts";
import type { HttpRequest } from "./http-request.ts";
import {
  type BodyLimit,
  type BodyReader,
  bodyFailed,
  endBody,
  hasBody,
  readBody,
  takeBody,
} from "./http-response-body.ts";

/** An answer's header and as much of its body as was wanted, still encoded. */
export interface Answer {
  statusCode: number;
  statusText(): string;
  /** A header's value by its name in lower case; several of a name joined by a comma. */
  header(name: string): string | undefined;
  headers(): Map<string, string>;
  /** The values of Set-Cookie, which cannot be joined. */
  setCookies(): string[];
  /** Null where there is none, or nothing of it is of interest. */
  body: BodyReader | null;
}

export interface ExchangeOptions {
  network: Network;
  trace: Trace;
  ignoreCertificate: boolean;
  legacyRenegotiation: boolean;
  /** Names are resolved again unless that was done since; `performance.now`. */
  resolveSinceMs: number | undefined;
  /** Called once the header is known. */
  bodyLimit(statusCode: number, header: (name: string) => string | undefined): BodyLimit;
  /** Takes what is thrown on the way, `done` included. */
  fault: Fault;
}

export interface ExchangeResult {
  answer: Answer | null;
  failure: Reason | null;
  /** `performance.now`. */
  endedAt: number;
}

export interface Exchange {
  connection: Connection;
  /** Null until its header is known. */
  answer: Answer | null;
  /** Drops everything; `done` is not called any more. */
  cancel(): void;
  /** Its time is over: calls `done` with an answer that was whole already; false where there is none. */
  conclude(): boolean;
}

/** The state of an exchange, shared by the files that carry it on. */
export interface Running extends Exchange {
  request: HttpRequest;
  options: ExchangeOptions;
  /** Whether the answer's first byte has come. */
  answering: boolean;
  /** Remains, whatever the repeated request brings, unless that shows that the server cuts its answer off. */
  first: FirstAnswer | null;
  done(result: ExchangeResult): void;
}

/** An answer that was whole as far as could be seen, with its own times. */
interface FirstAnswer {
  answer: Answer;
  trace: Trace;
  endedAt: number;
}

/** The answer's first byte has come: the phase before ends, the transfer begins. */
export function beginTransfer(run: Running): void {
  const { connection, options } = run;
  const now = performance.now();
  options.trace.firstByteMs = (options.trace.firstByteMs ?? 0) + now - connection.since;
  connection.since = now;
  run.answering = true;
}

function endTransfer(run: Running): void {
  const { connection, options } = run;
  if (run.answering)
    options.trace.transferMs = (options.trace.transferMs ?? 0) + performance.now() - connection.since;
  run.answering = false;
}

/** Puts the answer by, so that another connection may show how much it is worth. */
export function keepFirst(run: Running, answer: Answer): void {
  endTransfer(run);
  run.first = { answer, trace: { ...run.options.trace }, endedAt: performance.now() };
  run.answer = null;
}

export function stopRunning(run: Running): void {
  if (hangUp(run.connection)) endTransfer(run);
}

/** Ends an exchange with its answer; whatever comes later changes nothing. */
export function finish(run: Running, failure: Reason | null = null): void {
  if (run.connection.isOver) return;
  stopRunning(run);
  if (run.first === null) return run.done({ answer: run.answer, failure, endedAt: performance.now() });
  const { answer, trace, endedAt } = run.first;
  Object.assign(run.options.trace, trace);
  run.done({ answer, failure: null, endedAt });
}

export const fail = (run: Running, failure: Reason) => finish(run, failure);

const HEADER_LIMIT_BYTES = 65_536;

const SETTINGS = { enablePush: false, maxHeaderListSize: HEADER_LIMIT_BYTES };

/** Carries an exchange on in HTTP/2 (RFC 9113) over a TLS connection that negotiated it. */
export function exchangeHttp2(run: Running, socket: TLSSocket): void {
  const { request, options } = run;
  run.connection.stage = "answer";
  options.trace.protocol = "h2";
  const { fault } = options;
  const broken = guarded(fault, (error: NodeJS.ErrnoException) => breakOff(run, error));
  const session = http2.connect(request.url.origin, {
    createConnection: () => socket,
    settings: SETTINGS,
    maxHeaderListPairs: 500,
  });
  run.connection.drop = () => {
    session.destroy();
    socket.destroy();
  };
  session.on("error", broken);
  const stream = session.request(
    {
      ":method": request.method,
      ":path": request.url.pathname + request.url.search,
      ":authority": request.url.host,
      ...Object.fromEntries(request.headers),
      ...(request.body === null ? {} : { "content-length": request.body.length }),
    },
    { endStream: !request.body?.length },
  );
  run.connection.since = performance.now();
  stream.on("error", broken);
  stream.on("close", () => broken(new Error("closed")));
  const isWhole = watchEnd(stream);
  const received = (headers: http2.IncomingHttpHeaders) => receive(run, stream, headers, isWhole);
  stream.on("response", guarded(fault, received));
  if (request.body?.length) stream.end(request.body);
}

/**
 * Whether the answer is whole (END_STREAM). Otherwise a reset with NO_ERROR looks the same: Node closes the
 * stream first, and then reports the end itself.
 */
function watchEnd(stream: http2.ClientHttp2Stream): () => boolean {
  const push = stream.push.bind(stream);
  let isWhole = false;
  stream.push = (piece, encoding) => {
    if (piece === null && !stream.closed) isWhole = true;
    return push(piece, encoding);
  };
  return () => isWhole;
}

function receive(
  run: Running,
  stream: http2.ClientHttp2Stream,
  headers: http2.IncomingHttpHeaders,
  isWhole: () => boolean,
): void {
  beginTransfer(run);
  const statusCode = Number(headers[":status"]);
  const header = (name: string) => {
    const value = headers[name];
    return Array.isArray(value) ? value.join(", ") : value;
  };
  const names = () => Object.keys(headers).filter((name) => !name.startsWith(":"));
  run.answer = {
    statusCode,
    statusText: () => "",
    header,
    headers: () => new Map(names().map((name) => [name, header(name) ?? ""])),
    setCookies: () => headers["set-cookie"] ?? [],
    body: null,
  };
  if (!hasBody(run.request.method, statusCode)) return finish(run);
  const limit = run.options.bodyLimit(statusCode, header);
  if (limit.bytes === 0) return finish(run);
  const body = readBody(lengthOf(header("content-length")), false, limit);
  run.answer.body = body;
  run.connection.stage = "body";
  const proceed = () => {
    if (body.state === "done") finish(run);
    else if (body.state === "failed") fail(run, bodyFailed(run.connection.where, body));
  };
  const taken = (data: Buffer) => {
    if (run.connection.isOver) return;
    takeBody(body, data);
    proceed();
  };
  const ended = () => {
    if (stream.rstCode !== http2.constants.NGHTTP2_NO_ERROR) return;
    endBody(body, { ended: "h2_stream" }, isWhole());
    proceed();
  };
  stream.on("data", guarded(run.options.fault, taken));
  stream.on("end", guarded(run.options.fault, ended));
  proceed();
}

/** nghttp2 has refused anything that is not a number. */
const lengthOf = (value: string | undefined) => (value === undefined ? null : Number(value));

/** The exchange ended too early, in the middle of the body or before it. */
function breakOff(run: Running, error: NodeJS.ErrnoException): void {
  const body = run.answer?.body ?? null;
  const { where } = run.connection;
  if (body === null) return fail(run, http2Failed(error, where));
  const how = endedBy(error);
  // Our side reports this for a body that is not as long as announced.
  const isShort = how.ended === "h2_error" && how.error === "protocol error";
  endBody(body, isShort ? { ended: "h2_stream" } : how, false);
  fail(run, bodyFailed(where, body));
}

export function http2Failed(failure: NodeJS.ErrnoException, where: string): Reason {
  const { ended, error = "" } = endedBy(failure);
  if (ended === "h2_error") return msg("protocol.h2_error", { where, error });
  return msg(`protocol.${ended === "h2_stream" ? "h2_closed" : ended}`, { where });
}

type Http2Ended = Ended & { ended: "h2_stream" | "h2_reset" | "h2_error" | "h2_invalid" };

/** What a server did that HTTP/2 does not allow, without Node's own words. */
function endedBy({ code, message }: NodeJS.ErrnoException): Http2Ended {
  if (code === "ECONNRESET") return { ended: "h2_reset" };
  if (code === "ERR_HTTP2_STREAM_ERROR" || code === "ERR_HTTP2_SESSION_ERROR") {
    const [name] = /NGHTTP2_[A-Z_]+/.exec(message) ?? ["an error code"];
    return { ended: "h2_error", error: inWords(name.replace("NGHTTP2_", "")) };
  }
  return { ended: code === "ERR_HTTP2_ERROR" ? "h2_invalid" : "h2_stream" };
}
