import type net from "node:net";
import { guarded } from "./fault.ts";
import { headerOf, headersOf, headerValues } from "./http-headers.ts";
import { newResponseReader, type ResponseReader, takeBytes, takeEnd } from "./http-response.ts";
import { bodyFailed, lastsUntilClose } from "./http-response-body.ts";
import { beginTransfer, fail, type Running, settle } from "./http-running.ts";
import { isReset, socketFailed } from "./reasons.ts";
import { isInsideRecord, type RecordState } from "./tls-records.ts";

/** What the end of the connection says about a body that lasts until then. */
export interface EndOfBody {
  /** Where TLS stands, if that is followed. */
  records: RecordState | null;
  /** Where TLS would have to be followed and is not: asks once more. Called once the socket is closed. */
  again: (() => void) | null;
}

/** HTTP/1 on a socket to be: `onread` goes into its options, `start` is called once it may be written to. */
export interface Http1Reading {
  onread: net.OnReadOpts;
  /** Sends the request. `streamed`: the socket was made without `onread`. */
  start(socket: net.Socket, streamed: boolean, end: EndOfBody): void;
}

/** One buffer for every socket: a read is handed on before the next begins. Not so with Windows' overlapped reads. */
const shared = Buffer.allocUnsafeSlow(65_536);
const readBuffer = () => (process.platform === "win32" ? Buffer.allocUnsafeSlow(65_536) : shared);

/** Carries an exchange on in HTTP/1.1 (RFC 9112) over a socket of its own. */
export function readHttp1(run: Running): Http1Reading {
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
  else if (state === "done") settle(run);
  else if (body !== null) fail(run, bodyFailed(run.connection.where, body));
  else if (failure !== null) fail(run, failure(run.connection.where));
}
