import http2 from "node:http2";
import type { TLSSocket } from "node:tls";
import { fail, type Running, settle } from "./http-running.ts";

const HEADER_LIMIT_BYTES = 65_536;

const SETTINGS = { enablePush: false, maxHeaderListSize: HEADER_LIMIT_BYTES };

/** Carries an exchange on in HTTP/2 (RFC 9113) over a TLS connection that negotiated it. */
export function exchangeHttp2(run: Running, socket: TLSSocket): void {
  const { request, options } = run;
  run.stage = "answer";
  options.trace.protocol = "h2";
  const broken = (error: NodeJS.ErrnoException) =>
    fail(run, { reasonCode: "protocol", reason: `${run.where} ${sentence(error)}.` });
  const session = http2.connect(request.url.origin, {
    createConnection: () => socket,
    settings: SETTINGS,
    maxHeaderListPairs: 500,
  });
  run.drop = () => {
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
  run.since = performance.now();
  stream.on("error", broken);
  stream.on("close", () => broken(new Error("closed")));
  stream.on("response", (headers) => receive(run, stream, headers));
  if (request.body?.length) stream.end(request.body);
}

function receive(run: Running, stream: http2.ClientHttp2Stream, headers: http2.IncomingHttpHeaders): void {
  const { trace, bodyWish } = run.options;
  trace.firstByteMs = (trace.firstByteMs ?? 0) + performance.now() - run.since;
  const statusCode = Number(headers[":status"]);
  const header = (name: string) => {
    const value = headers[name];
    return Array.isArray(value) ? value.join(", ") : value;
  };
  const names = () => Object.keys(headers).filter((name) => !name.startsWith(":"));
  const allHeaders = () => new Map(names().map((name) => [name, header(name) ?? ""]));
  const wish = bodyWish(statusCode, header);
  const body: Buffer[] = [];
  let bytes = 0;
  const done = (bodyCut: boolean) =>
    settle(run, { answer: { statusCode, header, headers: allHeaders, body, bodyCut }, failure: null });
  if (wish.bytes === 0 || run.request.method === "HEAD") return done(false);
  run.stage = "body";
  stream.on("data", (data: Buffer) => {
    const room = wish.bytes - bytes;
    const kept = data.subarray(0, room);
    body.push(kept);
    bytes += kept.length;
    if (data.length > room) done(true);
    else if (wish.enough?.(kept)) done(false);
  });
  stream.on("end", () => stream.rstCode === http2.constants.NGHTTP2_NO_ERROR && done(false));
}

/** What a server did that HTTP/2 does not allow, without Node's own words. */
function sentence(error: NodeJS.ErrnoException): string {
  if (error.code === "ECONNRESET") return "reset the HTTP/2 connection before the answer was complete";
  if (error.code === "ERR_HTTP2_STREAM_ERROR" || error.code === "ERR_HTTP2_SESSION_ERROR") {
    const [name] = /NGHTTP2_[A-Z_]+/.exec(error.message) ?? ["an error code"];
    return `ended the HTTP/2 exchange with ${name.replace("NGHTTP2_", "").toLowerCase().replaceAll("_", " ")}`;
  }
  if (error.code === "ERR_HTTP2_ERROR") return "sent something that is not valid HTTP/2";
  return "closed the HTTP/2 connection without a complete answer";
}
