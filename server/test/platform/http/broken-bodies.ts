import { connect } from "node:net";
import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from "node:zlib";

/** Numbers in [0, 1). */
type Random = () => number;

const CODINGS = {
  gzip: (bytes: Buffer) => gzipSync(bytes, { level: 1 }),
  deflate: (bytes: Buffer) => deflateSync(bytes, { level: 1 }),
  br: (bytes: Buffer) => brotliCompressSync(bytes, { params: { 1: 1 } }),
  zstd: (bytes: Buffer) => zstdCompressSync(bytes),
} as const;
export type CodingName = keyof typeof CODINGS;
export const CODING_NAMES = Object.keys(CODINGS) as CodingName[];

export const pick = <T>(random: Random, from: readonly T[]): T =>
  from[Math.floor(random() * from.length)] as T;

const noise = (random: Random, length: number): Buffer => {
  const bytes = Buffer.allocUnsafe(length);
  for (let at = 0; at < length; at += 4)
    bytes.writeUInt32LE(Math.floor(random() * 2 ** 32), Math.min(at, length - 4));
  return bytes;
};

const GOOD = Buffer.from(JSON.stringify({ email: "ada@example.com", password: "correct horse" }));
const bombs = new Map<CodingName, Buffer>();
const bomb = (coding: CodingName): Buffer => {
  const known = bombs.get(coding) ?? CODINGS[coding](Buffer.alloc(20_000_000, "[1,"));
  bombs.set(coding, known);
  return known;
};

/** Ways to break a compressed body, with what a route that reads JSON answers. */
export const BREAKS = {
  "random bytes": { make: (random, _) => noise(random, 4 + Math.floor(random() * 2_000)), statuses: [400] },
  "many random bytes": {
    make: (random, _) => noise(random, 140_000 + Math.floor(random() * 160_000)),
    statuses: [400, 413],
  },
  "a good body with more behind it": {
    make: (random, coding) => Buffer.concat([CODINGS[coding](GOOD), noise(random, 300_000)]),
    statuses: [413],
  },
  "a good body with a little behind it": {
    make: (random, coding) =>
      Buffer.concat([CODINGS[coding](GOOD), noise(random, 4 + Math.floor(random() * 400))]),
    statuses: [400],
  },
  "one that was cut": {
    make(random, coding) {
      const whole = CODINGS[coding](
        Buffer.from(JSON.stringify({ text: noise(random, 300).toString("hex") })),
      );
      return whole.subarray(0, 1 + Math.floor(random() * (whole.length - 2)));
    },
    statuses: [400],
  },
  "a bomb": { make: (_, coding) => bomb(coding), statuses: [413] },
  "another coding": {
    make: (_, coding) => CODINGS[coding === "gzip" ? "br" : "gzip"](GOOD),
    statuses: [400],
  },
  "nested arrays": {
    make: (_, coding) => CODINGS[coding](Buffer.from("[".repeat(125_000))),
    statuses: [400],
  },
  "a flipped bit": {
    make(random, coding) {
      const whole = CODINGS[coding](
        Buffer.from(JSON.stringify({ text: noise(random, 300).toString("hex") })),
      );
      const at = Math.floor(random() * whole.length);
      whole[at] = (whole[at] as number) ^ (1 << Math.floor(random() * 8));
      return whole;
    },
    // Some bits say nothing.
    statuses: [400, 413, 422],
  },
} satisfies Record<string, { make(random: Random, coding: CodingName): Buffer; statuses: readonly number[] }>;
export type BreakName = keyof typeof BREAKS;
export const BREAK_NAMES = Object.keys(BREAKS) as BreakName[];

/** How a client sends a request; `leaves`: before the end, so that it waits for no answer. */
export const MANNERS = [
  "whole",
  "in pieces",
  "in chunks",
  "twice",
  "half",
  "leaves",
  "ends its side",
] as const;
export type Manner = (typeof MANNERS)[number];

export interface Sending {
  line: string;
  headers: readonly string[];
  body: Buffer;
  manner: Manner;
}

/** The status codes that came back, and how the connection ended: with an error's code, or null. */
export interface Ending {
  statuses: number[];
  error: string | null;
}

/** Sends a request in a bad manner and reads until the server, or the client itself, closes. */
export function sendBadly(url: string, { line, headers, body, manner }: Sending): Promise<Ending> {
  const { promise, resolve } = Promise.withResolvers<Ending>();
  const isChunked = manner === "in chunks";
  const framing = isChunked ? "Transfer-Encoding: chunked" : `Content-Length: ${body.length}`;
  const head = (more: string) =>
    [`${line} HTTP/1.1`, "Host: a", framing, ...headers, more, "", ""].join("\r\n");
  const last = Buffer.concat([Buffer.from(head("Connection: close")), isChunked ? chunked(body) : body]);
  const half = last.subarray(0, last.length - Math.ceil(body.length / 2));
  let text = "";
  let error: string | null = null;
  const socket = connect({ port: Number(new URL(url).port), host: "127.0.0.1", allowHalfOpen: true }, () => {
    if (manner === "half") return void socket.write(half);
    if (manner === "ends its side") return void socket.end(half);
    if (manner === "leaves") return void socket.write(half, () => socket.destroy());
    if (manner === "twice") socket.write(Buffer.concat([Buffer.from(head("X-First: 1")), body]));
    if (manner !== "in pieces") return void socket.write(last);
    const middle = Math.floor(last.length / 2);
    socket.write(last.subarray(0, middle), () => setImmediate(() => socket.write(last.subarray(middle))));
  });
  socket.setNoDelay(true);
  socket.on("data", (piece) => (text += piece.toString("latin1")));
  socket.on("end", () => socket.end());
  socket.on("error", ({ code = "unknown" }: NodeJS.ErrnoException) => (error = code));
  socket.on("close", () => {
    const statuses = Array.from(text.matchAll(/^HTTP\/1\.1 (\d{3}) /gm), ([, status]) => Number(status));
    resolve({ statuses, error });
  });
  return promise;
}

function chunked(body: Buffer): Buffer {
  const middle = Math.floor(body.length / 2);
  const parts = [body.subarray(0, middle), body.subarray(middle)].filter(({ length }) => length > 0);
  return Buffer.concat([
    ...parts.flatMap((part) => [Buffer.from(`${part.length.toString(16)}\r\n`), part, Buffer.from("\r\n")]),
    Buffer.from("0\r\n\r\n"),
  ]);
}
