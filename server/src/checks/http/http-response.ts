import { excerpt, msg } from "../../platform/i18n/message.ts";
import type { Ended, ReasonAt } from "../reasons.ts";
import { headerOf } from "./http-headers.ts";
import {
  type BodyLimit,
  type BodyReader,
  bodyFailed,
  endBody,
  hasBody,
  readBody,
  takeBody,
} from "./http-response-body.ts";

/** For one HTTP/1.x answer (RFC 9112), doing no more than needed. Bytes given to it may be reused after. */
export interface ResponseReader {
  state: "head" | "body" | "done" | "failed";
  statusCode: number;
  /** The header as it came, one character a byte, from the status line on. */
  head: string;
  /** Null before the header is known, and where nothing of the body is of interest. */
  body: BodyReader | null;
  /** Why it failed; null unless it has. */
  failure: ReasonAt | null;
  readonly method: string;
  readonly bodyLimit: (reader: ResponseReader) => BodyLimit;
  /** The beginning of a header, with room to grow; null: nothing came yet. */
  pending: Buffer | null;
  pendingBytes: number;
  /** Of empty lines before a status line. */
  blankBytes: number;
  informational: number;
}

const HEAD_LIMIT_BYTES = 65_536;
const MAX_INFORMATIONAL = 10;
/** A later minor version is read as 1.1 (RFC 9110 §2.5). */
const STATUS_LINE = /^HTTP\/1\.\d ([1-9]\d\d)(?: [^\r\n]*)?\r?\n/;
/** So much of empty lines before a status line is passed over (RFC 9112 §2.2). */
const MAX_BLANK_BYTES = 8;

/** `method` is that of the request; `bodyLimit` is called once the header is known, if a body may follow it. */
export function newResponseReader(
  method: string,
  bodyLimit: (reader: ResponseReader) => BodyLimit,
): ResponseReader {
  return {
    state: "head",
    statusCode: 0,
    head: "",
    body: null,
    failure: null,
    method,
    bodyLimit,
    pending: null,
    pendingBytes: 0,
    blankBytes: 0,
    informational: 0,
  };
}

/** Takes bytes from the connection; afterwards `state` says whether more are wanted. */
export function takeBytes(reader: ResponseReader, bytes: Buffer): void {
  let rest: Buffer | null = bytes;
  while (rest !== null && rest.length > 0 && reader.state === "head") rest = takeHead(reader, rest);
  if (rest === null || rest.length === 0 || reader.state !== "body" || reader.body === null) return;
  takeBody(reader.body, rest);
  applyBodyState(reader, reader.body);
}

function applyBodyState(reader: ResponseReader, body: BodyReader): void {
  if (body.state === "failed") fail(reader, (where) => bodyFailed(where, body));
  else if (body.state === "done") reader.state = "done";
}

/** How a connection ended: `cut` is a close within a TLS record. */
export type Ending = "closed" | "cut" | "reset";

/** The connection ended: an answer that needed more has failed. */
export function takeEnd(reader: ResponseReader, ending: Ending = "closed"): void {
  const how: Ended = { ended: ending };
  if (reader.state === "head") {
    if (reader.pending !== null && !startsAsHttp(reader, appendPending(reader, NOTHING), true)) return;
    const started = reader.pending !== null || reader.informational > 0;
    const code = started ? "protocol.in_header" : "protocol.without_answer";
    fail(reader, (where) => msg(code, { ...how, where }));
  } else if (reader.state === "body" && reader.body !== null) {
    endBody(reader.body, how, ending === "closed");
    applyBodyState(reader, reader.body);
  }
}

function fail(reader: ResponseReader, failure: ReasonAt): void {
  reader.state = "failed";
  reader.failure = failure;
}

/** The index after the empty line that ends the header; -1 when it is not there yet. */
function endOfHead(bytes: Buffer, from: number): number {
  const strict = bytes.indexOf("\n\r\n", from, "latin1");
  // A bare LF ends a line as well (RFC 9112 §2.2). The search is bounded: usually `strict` is right.
  const loose = bytes.subarray(0, strict < 0 ? bytes.length : strict).indexOf("\n\n", from, "latin1");
  if (loose >= 0) return loose + 2;
  return strict < 0 ? -1 : strict + 3;
}

const isLineBreak = (byte: number | undefined) => byte === 0x0d || byte === 0x0a;

/** What comes after the empty lines that a few servers send before a header. */
function skipBlank(reader: ResponseReader, bytes: Buffer): Buffer {
  let at = 0;
  while (reader.blankBytes < MAX_BLANK_BYTES && isLineBreak(bytes[at])) {
    reader.blankBytes++;
    at++;
  }
  return bytes.subarray(at);
}

/** Reads one header, interim or final; returns the bytes after it, null when it is not complete. */
function takeHead(reader: ResponseReader, bytes: Buffer): Buffer | null {
  if (reader.pending === null && isLineBreak(bytes[0]) && reader.blankBytes < MAX_BLANK_BYTES)
    return skipBlank(reader, bytes);
  const before = reader.pendingBytes;
  const all = reader.pending === null ? bytes : appendPending(reader, bytes);
  if (!startsAsHttp(reader, all)) return null;
  const end = bytes.includes(0x0a) ? endOfHead(all, Math.max(0, before - 2)) : -1;
  if ((end < 0 ? all.length : end) > HEAD_LIMIT_BYTES) {
    fail(reader, (where) => msg("protocol.header_size", { where, size: HEAD_LIMIT_BYTES / 1024 }));
    return null;
  }
  if (end < 0) {
    if (reader.pending === null) appendPending(reader, all);
    return null;
  }
  reader.pending = null;
  reader.pendingBytes = 0;
  const head = all.toString("latin1", 0, end);
  const status = STATUS_LINE.exec(head);
  if (status === null) {
    const line = excerpt(head.split(/\r?\n/, 1)[0] ?? "");
    fail(reader, (where) => msg("protocol.status_line", { where, line }));
    return null;
  }
  reader.head = head;
  reader.statusCode = Number(status[1]);
  if (reader.statusCode < 200 && reader.statusCode !== 101) {
    reader.informational++;
    if (reader.informational > MAX_INFORMATIONAL) fail(reader, (where) => msg("protocol.interim", { where }));
  } else {
    startBody(reader);
  }
  return all.subarray(end);
}

const NOTHING = Buffer.alloc(0);

/** Adds to what is pending and returns all of it. Room doubles: joining piece by piece would copy it all each time. */
function appendPending(reader: ResponseReader, bytes: Buffer): Buffer {
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
    if (reader.pending === null) appendPending(reader, bytes);
    return false;
  }
  const end = Math.min(newline < 0 ? bytes.length : newline, QUOTED_BYTES);
  const isTls = bytes[0] === 0x15 || bytes[0] === 0x16;
  const start = excerpt(bytes.toString("latin1", 0, end).trimEnd());
  fail(reader, (where) =>
    isTls ? msg("protocol.is_tls", { where }) : msg("protocol.not_http", { where, start }),
  );
  return false;
}

/** A space before the colon (RFC 9112 §5.1): implementations disagree whether such a header counts. */
const UNCLEAR_FRAMING = /\n(?:content-length|transfer-encoding)[ \t]+:[^\r\n]*/i;

function startBody(reader: ResponseReader): void {
  reader.state = "done";
  if (!hasBody(reader.method, reader.statusCode)) return;
  const limit = reader.bodyLimit(reader);
  if (limit.bytes === 0) return;
  const unclear = UNCLEAR_FRAMING.exec(reader.head);
  if (unclear !== null) {
    const line = excerpt(unclear[0].slice(1));
    return fail(reader, (where) => msg("protocol.header", { where, line }));
  }
  const isChunked = headerOf(reader.head, "transfer-encoding")?.toLowerCase().endsWith("chunked") ?? false;
  const length = isChunked ? undefined : headerOf(reader.head, "content-length");
  const announced = length === undefined ? null : lengthOf(length);
  if (Number.isNaN(announced)) {
    const value = excerpt(length ?? "");
    return fail(reader, (where) => msg("protocol.content_length", { where, value }));
  }
  reader.body = readBody(announced, isChunked, limit);
  if (reader.body.state === "reading") reader.state = "body";
}

/** Bytes, by a Content-Length that may have been sent more than once (RFC 9112 §6.3); NaN for nonsense. */
function lengthOf(value: string): number {
  const lengths = new Set(value.split(",").map((one) => one.trim()));
  const [first = ""] = lengths;
  return lengths.size === 1 && /^\d{1,15}$/.test(first) ? Number(first) : Number.NaN;
}
