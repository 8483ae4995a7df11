import { type ChunkedState, newChunked, takeChunked } from "./http-chunked.ts";
import { quoted } from "./reasons.ts";

/**
 * An incremental reader of one HTTP/1.x answer (RFC 9112), made to do nothing that is not needed:
 * without a wish for the body it is done when the header is. Bytes given to it may be reused after.
 */
export interface ResponseReader {
  state: "head" | "body" | "done" | "failed";
  statusCode: number;
  /** The header as it came, one character a byte, from the status line on. */
  head: string;
  body: Buffer[];
  bodyBytes: number;
  /** Whether the body was longer than the limit. */
  bodyCut: boolean;
  /** Why it failed; a sentence about the server without its subject: `sent …`. */
  failure: string;
  /** Set by whoever wants less than the whole body: told of every piece, true when it has enough. */
  enough: ((data: Buffer) => boolean) | null;
  readonly headRequest: boolean;
  readonly bodyLimit: (reader: ResponseReader) => number;
  /** The beginning of a header, with room to grow; null: nothing came yet. */
  pending: Buffer | null;
  pendingBytes: number;
  informational: number;
  limit: number;
  /** Body bytes still to come; -1: until the connection ends, or as the chunks say. */
  remaining: number;
  chunked: ChunkedState | null;
}

const HEAD_LIMIT_BYTES = 65_536;
const INFORMATIONAL_MOST = 10;
const STATUS_LINE = /^HTTP\/1\.[01] ([1-9]\d\d)(?: [^\r\n]*)?\r?\n/;

/** `bodyLimit` is asked once the header is known: how many body bytes are wanted, 0 for none. */
export function newResponseReader(
  headRequest: boolean,
  bodyLimit: (reader: ResponseReader) => number,
): ResponseReader {
  return {
    state: "head",
    statusCode: 0,
    head: "",
    body: [],
    bodyBytes: 0,
    bodyCut: false,
    failure: "",
    enough: null,
    headRequest,
    bodyLimit,
    pending: null,
    pendingBytes: 0,
    informational: 0,
    limit: 0,
    remaining: -1,
    chunked: null,
  };
}

/** Takes bytes from the connection; afterwards `state` says whether more are wanted. */
export function takeBytes(reader: ResponseReader, bytes: Buffer): void {
  let rest: Buffer | null = bytes;
  while (rest !== null && rest.length > 0 && reader.state === "head") rest = takeHead(reader, rest);
  if (rest !== null && rest.length > 0 && reader.state === "body") takeBody(reader, rest);
}

/** The connection ended: an answer that needed more has failed. */
export function takeEnd(reader: ResponseReader): void {
  if (reader.state === "head") {
    if (reader.pending !== null && !startsAsHttp(reader, gather(reader, NOTHING), true)) return;
    const started = reader.pending !== null || reader.informational > 0;
    fail(
      reader,
      started
        ? "closed the connection in the middle of the header"
        : "closed the connection without an answer",
    );
  } else if (reader.state === "body") {
    if (reader.remaining === -1 && reader.chunked === null) reader.state = "done";
    else fail(reader, "closed the connection in the middle of the body");
  }
}

function fail(reader: ResponseReader, sentence: string): void {
  reader.state = "failed";
  reader.failure = sentence;
}

/** The index after the empty line that ends the header; -1 when it is not there yet. */
function endOfHead(bytes: Buffer, from: number): number {
  const strict = bytes.indexOf("\n\r\n", from, "latin1");
  // A bare LF ends a line as well (RFC 9112 §2.2). The search is bounded: usually `strict` is right.
  const loose = bytes.subarray(0, strict < 0 ? bytes.length : strict).indexOf("\n\n", from, "latin1");
  if (loose >= 0) return loose + 2;
  return strict < 0 ? -1 : strict + 3;
}

/** Reads one header, interim or final; returns the bytes after it, null when it is not complete. */
function takeHead(reader: ResponseReader, bytes: Buffer): Buffer | null {
  const before = reader.pendingBytes;
  const all = reader.pending === null ? bytes : gather(reader, bytes);
  if (!startsAsHttp(reader, all)) return null;
  const end = bytes.includes(0x0a) ? endOfHead(all, Math.max(0, before - 2)) : -1;
  if ((end < 0 ? all.length : end) > HEAD_LIMIT_BYTES) {
    fail(reader, `sent more than ${HEAD_LIMIT_BYTES / 1024} KB of header`);
    return null;
  }
  if (end < 0) {
    if (reader.pending === null) gather(reader, all);
    return null;
  }
  reader.pending = null;
  reader.pendingBytes = 0;
  const head = all.toString("latin1", 0, end);
  const status = STATUS_LINE.exec(head);
  if (status === null) {
    fail(reader, `sent a malformed status line: ${quoted(head.split(/\r?\n/, 1)[0] ?? "")}`);
    return null;
  }
  reader.head = head;
  reader.statusCode = Number(status[1]);
  if (reader.statusCode < 200 && reader.statusCode !== 101) {
    reader.informational++;
    if (reader.informational > INFORMATIONAL_MOST) fail(reader, "sent interim answers (1xx) without end");
  } else {
    startBody(reader);
  }
  return all.subarray(end);
}

const NOTHING = Buffer.alloc(0);

/** Adds to what is pending and returns all of it. Room doubles: joining piece by piece would copy it all each time. */
function gather(reader: ResponseReader, bytes: Buffer): Buffer {
  const { pending, pendingBytes } = reader;
  const length = pendingBytes + bytes.length;
  let room = pending;
  if (room === null || room.length < length) {
    room = Buffer.allocUnsafeSlow(Math.max(length, 2 * pendingBytes));
    pending?.copy(room, 0, 0, pendingBytes);
  }
  bytes.copy(room, pendingBytes);
  reader.pending = room;
  reader.pendingBytes = length;
  return room.subarray(0, length);
}

const PREFIX = Buffer.from("HTTP/");
/** How much of an answer that is no HTTP is waited for, to be quoted, unless a line ends before. */
const QUOTED_BYTES = 64;

/** Whether the answer can still become HTTP; fails on what cannot, so that a mail server is named at once. */
function startsAsHttp(reader: ResponseReader, bytes: Buffer, ended = false): boolean {
  const length = Math.min(bytes.length, PREFIX.length);
  if (bytes.compare(PREFIX, 0, length, 0, length) === 0) return true;
  const newline = bytes.indexOf(0x0a);
  if (newline < 0 && bytes.length < QUOTED_BYTES && !ended) {
    if (reader.pending === null) gather(reader, bytes);
    return false;
  }
  const end = Math.min(newline < 0 ? bytes.length : newline, QUOTED_BYTES);
  const isTls = bytes[0] === 0x15 || bytes[0] === 0x16;
  const start = quoted(bytes.toString("latin1", 0, end).trimEnd());
  fail(
    reader,
    isTls ? "speaks TLS on this port: use https" : `does not speak HTTP, its answer begins ${start}`,
  );
  return false;
}

function startBody(reader: ResponseReader): void {
  const code = reader.statusCode;
  reader.limit =
    reader.headRequest || code < 200 || code === 204 || code === 304 ? 0 : reader.bodyLimit(reader);
  reader.state = "done";
  if (reader.limit === 0) return;
  if (headerOf(reader.head, "transfer-encoding")?.toLowerCase().endsWith("chunked")) {
    reader.chunked = newChunked();
    reader.state = "body";
    return;
  }
  const length = headerOf(reader.head, "content-length");
  if (length === undefined) {
    reader.state = "body";
    return;
  }
  const lengths = new Set(length.split(",").map((one) => one.trim()));
  const [first = ""] = lengths;
  if (lengths.size > 1 || !/^\d{1,15}$/.test(first))
    fail(reader, `sent an impossible Content-Length: ${quoted(length)}`);
  else {
    reader.remaining = Number(first);
    if (reader.remaining > 0) reader.state = "body";
  }
}

function takeBody(reader: ResponseReader, bytes: Buffer): void {
  if (reader.chunked !== null) {
    const failure = takeChunked(reader.chunked, bytes, (data) => keep(reader, data));
    if (failure !== null && reader.state === "body") fail(reader, failure);
    else if (reader.chunked.ended) reader.state = "done";
    return;
  }
  const data = reader.remaining >= 0 ? bytes.subarray(0, reader.remaining) : bytes;
  if (reader.remaining >= 0) reader.remaining -= data.length;
  keep(reader, data);
  if (reader.remaining === 0) reader.state = "done";
}

/** Copies body bytes up to the limit; what lies beyond makes the reader done. */
function keep(reader: ResponseReader, data: Buffer): boolean {
  const room = reader.limit - reader.bodyBytes;
  if (data.length > room) {
    reader.bodyCut = true;
    reader.state = "done";
  }
  if (room > 0) {
    reader.body.push(Buffer.from(data.subarray(0, room)));
    reader.bodyBytes += Math.min(room, data.length);
    if (reader.enough?.(data)) reader.state = "done";
  }
  return reader.state === "body";
}

/** A header's value within a header block, names in any case; several of a name joined by `, `. */
export function headerOf(head: string, name: string): string | undefined {
  let joined: string | undefined;
  for (const line of head.split("\n")) {
    if (line.charCodeAt(name.length) !== 0x3a || line.slice(0, name.length).toLowerCase() !== name) continue;
    const value = line.slice(name.length + 1).trim();
    joined = joined === undefined ? value : `${joined}, ${value}`;
  }
  return joined;
}
