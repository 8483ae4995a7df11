import type net from "node:net";
import { headersOf } from "./http-headers.ts";
import { headerOf, newResponseReader, type ResponseReader, takeBytes, takeEnd } from "./http-response.ts";
import { fail, type Running, settle } from "./http-running.ts";
import { socketFailed } from "./reasons.ts";

/** HTTP/1 on a socket to be: `onread` goes into its options, `start` is called once it may be written to. */
export interface Http1Reading {
  onread: net.OnReadOpts;
  /** Sends the request. `streamed`: the socket was made without `onread`. */
  start(socket: net.Socket, streamed: boolean): void;
}

/** One buffer for every socket: a read is handed on before the next begins. Not so with Windows' overlapped reads. */
const shared = Buffer.allocUnsafeSlow(65_536);
const readBuffer = () => (process.platform === "win32" ? Buffer.allocUnsafeSlow(65_536) : shared);

/** Carries an exchange on in HTTP/1.1 (RFC 9112) over a socket of its own. */
export function readHttp1(run: Running): Http1Reading {
  const { options, request } = run;
  const reader = newResponseReader(request.method === "HEAD", () => {
    const wish = options.bodyWish(reader.statusCode, (name) => headerOf(reader.head, name));
    reader.enough = wish.enough;
    return wish.bytes;
  });
  return {
    onread: {
      buffer: readBuffer(),
      callback: (count, buffer) => {
        if (run.finished) return false;
        take(run, reader, (buffer as Buffer).subarray(0, count));
        return true;
      },
    },
    start: (socket, streamed) => send(run, reader, socket, streamed),
  };
}

function send(run: Running, reader: ResponseReader, socket: net.Socket, streamed: boolean): void {
  run.stage = "answer";
  const ended = () => {
    if (run.finished) return;
    takeEnd(reader);
    finish(run, reader);
  };
  socket.on("end", ended);
  socket.on("close", ended);
  socket.on("error", (error) => fail(run, socketFailed(error, run.stage, run.where)));
  if (streamed) socket.on("data", (bytes: Buffer) => !run.finished && take(run, reader, bytes));
  run.since = performance.now();
  socket.write(run.request.bytes);
}

function take(run: Running, reader: ResponseReader, bytes: Buffer): void {
  const { trace } = run.options;
  if (!run.answering) {
    run.answering = true;
    trace.firstByteMs = (trace.firstByteMs ?? 0) + performance.now() - run.since;
  }
  takeBytes(reader, bytes);
  if (reader.state === "body") run.stage = "body";
  else finish(run, reader);
}

function finish(run: Running, reader: ResponseReader): void {
  if (reader.state === "failed") {
    fail(run, { reasonCode: "protocol", reason: `${run.where} ${reader.failure}.` });
    return;
  }
  if (reader.state !== "done") return;
  const { head, statusCode, body, bodyCut } = reader;
  run.options.trace.protocol = head.startsWith("HTTP/1.0") ? "http/1.0" : "http/1.1";
  const answer = {
    statusCode,
    header: (name: string) => headerOf(head, name),
    headers: () => headersOf(head),
    body,
    bodyCut,
  };
  settle(run, { answer, failure: null });
}
