import http2 from "node:http2";
import type { TLSSocket } from "node:tls";
import { fact } from "../texts/fact.ts";
import { guarded } from "./fault.ts";
import { bodyFailed, endBody, hasBody, readBody, takeBody } from "./http-response-body.ts";
import { beginTransfer, fail, type Running, settle } from "./http-running.ts";
import { type Ended, inWords, type Reason } from "./reasons.ts";

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
 * Whether the server has said that its answer is whole (END_STREAM). A stream that it resets with NO_ERROR ends in the
 * same way otherwise: Node closes it first, and then tells of the end itself.
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
  if (!hasBody(run.request.method, statusCode)) return settle(run);
  const limit = run.options.bodyLimit(statusCode, header);
  if (limit.bytes === 0) return settle(run);
  const body = readBody(lengthOf(header("content-length")), false, limit);
  run.answer.body = body;
  run.connection.stage = "body";
  const proceed = () => {
    if (body.state === "done") settle(run);
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

/** Why an exchange ended before there was an answer. */
export function http2Failed(failure: NodeJS.ErrnoException, where: string): Reason {
  const { ended, error = "" } = endedBy(failure);
  if (ended === "h2_error") return fact("protocol.h2_error", { where, error });
  return fact(`protocol.${ended === "h2_stream" ? "h2_closed" : ended}`, { where });
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
