import type net from "node:net";
import zlib from "node:zlib";

/** A request as a target saw it; header names in lower case. */
export interface TargetRequest {
  method: string;
  path: string;
  headers: Record<string, string>;
  body: string;
  /** The bytes as they came, one character each. */
  raw: string;
}

/** How a target answers one request. */
export type Behaviour = (socket: net.Socket, request: TargetRequest) => void;

type Headers = Record<string, string>;

const headerLines = (headers: Headers) =>
  Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join("");

/** An ordinary answer: 200, `ok`, by default. A HEAD request gets no body. */
export function respond(
  options: { status?: number; headers?: Headers; body?: string | Buffer } = {},
): Behaviour {
  const status = options.status ?? 200;
  const body = Buffer.from(options.body ?? "ok");
  const headers = { "content-length": String(body.length), connection: "close", ...options.headers };
  const head = `HTTP/1.1 ${status} Whatever\r\n${headerLines(headers)}\r\n`;
  return (socket, request) => {
    socket.write(head, "latin1");
    socket.end(request.method === "HEAD" ? "" : body);
  };
}

/** That status code with a small body. */
export const status = (code: number): Behaviour => respond({ status: code });

/** A 200 with this body. */
export const body = (text: string | Buffer, headers: Headers = {}): Behaviour =>
  respond({ body: text, headers });

/** A redirect to a URL, absolute or relative. */
export const redirect = (location: string, code = 302): Behaviour =>
  respond({ status: code, headers: { location }, body: "" });

/** Answers 200 after so many milliseconds. */
export function slow(delayMs: number, then: Behaviour = respond()): Behaviour {
  return (socket, request) => {
    const timer = setTimeout(() => then(socket, request), delayMs);
    socket.on("close", () => clearTimeout(timer));
  };
}

/** Accepts, reads the request, never answers. */
export const hang: Behaviour = () => {};

/** Ends the connection with a TCP reset instead of an answer. */
export const reset: Behaviour = (socket) => {
  socket.resetAndDestroy();
};

/** Closes the connection in an orderly way without a byte of an answer. */
export const hangUp: Behaviour = (socket) => {
  socket.end();
};

/** These bytes and nothing else, in as many writes as there are pieces; then the connection ends unless `open`. */
export function raw(pieces: (string | Buffer)[], options: { open?: boolean } = {}): Behaviour {
  return (socket) => {
    socket.setNoDelay(true);
    for (const piece of pieces)
      socket.write(typeof piece === "string" ? Buffer.from(piece, "latin1") : piece);
    if (!options.open) socket.end();
  };
}

/** `Transfer-Encoding: chunked`, a chunk for each part, with a chunk extension and a trailer. */
export function chunked(parts: (string | Buffer)[], headers: Headers = {}): Behaviour {
  return (socket) => {
    socket.write(`HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n${headerLines(headers)}\r\n`, "latin1");
    for (const part of parts) {
      const bytes = Buffer.from(part);
      socket.write(
        Buffer.concat([Buffer.from(`${bytes.length.toString(16)};ext=1\r\n`), bytes, Buffer.from("\r\n")]),
      );
    }
    socket.end("0\r\nx-trailer: 1\r\n\r\n");
  };
}

/** The text, compressed, with its Content-Encoding. */
export function compressed(encoding: "gzip" | "deflate" | "br" | "zstd", text: string | Buffer): Behaviour {
  const bytes = Buffer.from(text);
  const packed =
    encoding === "gzip"
      ? zlib.gzipSync(bytes)
      : encoding === "deflate"
        ? zlib.deflateSync(bytes)
        : encoding === "br"
          ? zlib.brotliCompressSync(bytes)
          : zlib.zstdCompressSync(bytes);
  return respond({ body: packed, headers: { "content-encoding": encoding } });
}

function pourForever(socket: net.Socket, piece: Buffer): void {
  const pour = () => {
    while (!socket.destroyed && socket.write(piece)) {
      // Until the socket's buffer is full; `drain` goes on.
    }
  };
  socket.on("drain", pour);
  pour();
}

/** Header lines without an end, as fast as the client takes them. */
export const endlessHeader: Behaviour = (socket) => {
  socket.write("HTTP/1.1 200 OK\r\n");
  pourForever(socket, Buffer.from("x-more: and more and more\r\n".repeat(100)));
};

/** A body without an end. */
export const endlessBody: Behaviour = (socket) => {
  socket.write("HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\n\r\n");
  pourForever(socket, Buffer.from("more and more and more ".repeat(500)));
};
