import { msg } from "../../platform/i18n/message.ts";
import type { Ended, Reason, ReasonAt } from "../reasons.ts";

/** How much of a body is read where no assertion needs it: what may be shown of it (evidence.ts), and a little more. */
export const BODY_HEAD_BYTES = 4096 + 64;

export interface BodyLimit {
  /** At most this many bytes, not counting the framing of chunks; 0: the body is not wanted. */
  bytes: number;
  /** Why they are read: to see that the answer is whole, that it can be decoded as well, or for their text. */
  purpose: "framing" | "encoding" | "text";
  /** Called with every piece; true when the rest is not needed. */
  enough: ((data: Buffer) => boolean) | null;
}

export const NO_BODY: BodyLimit = { bytes: 0, purpose: "framing", enough: null };

/** A body on its way. Bytes given to it may be reused after. */
export interface BodyReader {
  state: "reading" | "done" | "failed";
  /** Why it failed; null unless it has. */
  failure: ReasonAt | null;
  /** As they came, still encoded; the beginning alone where only the framing is of interest. */
  pieces: Buffer[];
  arrivedBytes: number;
  /** Whether the body is longer than what was read of it. */
  cut: boolean;
  /** By its Content-Length; null: until the connection ends, or as the chunks say. */
  readonly announcedBytes: number | null;
  readonly chunked: ChunkedState | null;
  readonly limit: BodyLimit;
}

/** Whether there is a body to come after a header (RFC 9112 §6.3): not after HEAD, 1xx, 204 and 304. */
export const hasBody = (method: string, statusCode: number): boolean =>
  method !== "HEAD" && statusCode >= 200 && statusCode !== 204 && statusCode !== 304;

/** Starts reading a body, of which more than 0 bytes are wanted. */
export function readBody(announcedBytes: number | null, isChunked: boolean, limit: BodyLimit): BodyReader {
  return {
    state: announcedBytes === 0 ? "done" : "reading",
    failure: null,
    pieces: [],
    arrivedBytes: 0,
    cut: false,
    announcedBytes,
    chunked: isChunked ? newChunked() : null,
    limit,
  };
}

/** Takes bytes from the connection; afterwards `state` says whether more are wanted. */
export function takeBody(reader: BodyReader, bytes: Buffer): void {
  const { chunked, announcedBytes } = reader;
  if (chunked !== null) {
    const problem = takeChunked(chunked, bytes, (data) => takeData(reader, data));
    if (problem !== null) failBody(reader, (where) => msg(problem, { where }));
    else if (chunked.at === "end") reader.state = "done";
  } else if (announcedBytes === null) {
    takeData(reader, bytes);
  } else {
    takeData(reader, bytes.subarray(0, announcedBytes - reader.arrivedBytes));
    if (reader.arrivedBytes === announcedBytes) reader.state = "done";
  }
}

/** Counts and keeps data; returns whether to go on. At the limit it does not wait for the body's end. */
function takeData(reader: BodyReader, data: Buffer): boolean {
  const { bytes, purpose, enough } = reader.limit;
  const taken = data.subarray(0, bytes - reader.arrivedBytes);
  const isHead = reader.arrivedBytes < BODY_HEAD_BYTES;
  if (purpose !== "framing") reader.pieces.push(Buffer.from(taken));
  else if (isHead) reader.pieces.push(Buffer.from(taken.subarray(0, BODY_HEAD_BYTES - reader.arrivedBytes)));
  reader.arrivedBytes += taken.length;
  if (reader.arrivedBytes === bytes) {
    reader.cut = reader.arrivedBytes !== reader.announcedBytes;
    reader.state = "done";
  } else if (enough?.(taken)) {
    reader.state = "done";
  }
  return reader.state === "reading";
}

/** Whether only the end of the connection ends the body. */
export const lastsUntilClose = ({ chunked, announcedBytes }: BodyReader): boolean =>
  chunked === null && announcedBytes === null;

/** The connection ended. A body that lasts until then is whole if that was `orderly`; any other one has failed. */
export function endBody(reader: BodyReader, how: Ended, orderly: boolean): void {
  if (reader.state !== "reading") return;
  if (orderly && lastsUntilClose(reader)) reader.state = "done";
  else failBody(reader, (where) => brokenOff(reader, { ...how, where }));
}

/** What is missing comes first: lists show the beginning of a sentence. */
function brokenOff(
  { announcedBytes: announced, arrivedBytes: arrived }: BodyReader,
  how: Ended & { where: string },
): Reason {
  if (arrived === 0) return msg("body.none", how);
  return announced === null
    ? msg("body.after", { ...how, arrived })
    : msg("body.some", { ...how, arrived, announced });
}

export const bodyFailed = (where: string, { failure }: BodyReader): Reason =>
  failure?.(where) ?? msg("protocol.incomplete", { where });

function failBody(reader: BodyReader, failure: ReasonAt): void {
  reader.state = "failed";
  reader.failure = failure;
}

/** Where within a chunked body (RFC 9112 §7.1) the reader is. */
interface ChunkedState {
  at: "size" | "data" | "data-end" | "trailer" | "end";
  /** The line of a chunk's size, as far as it came. */
  line: string;
  remaining: number;
  trailerBytes: number;
}

type ChunkProblem = `body.${"chunk_invalid" | "chunk_sizeless" | "chunk_long" | "trailers"}`;

const LINE_LIMIT = 4096;
const TRAILER_LIMIT_BYTES = 65_536;
const SIZE_LINE = /^([0-9a-fA-F]{1,12})[ \t]*(?:;.*)?\r?$/;
/** Chunks at least this long are handed on as they are; shorter ones together, a read at a time. */
const JOINED_BYTES = 1024;

const newChunked = (): ChunkedState => ({ at: "size", line: "", remaining: 0, trailerBytes: 0 });

/**
 * RFC 9112 §7.1. Passes data on until `take` has enough or the end has come; trailers are ignored. Returns
 * what is wrong with the bytes, or null.
 */
function takeChunked(
  state: ChunkedState,
  bytes: Buffer,
  take: (data: Buffer) => boolean,
): ChunkProblem | null {
  const joined = joinShort(bytes.length, take);
  let index = 0;
  while (index < bytes.length && state.at !== "end") {
    if (state.at === "data") {
      const end = Math.min(bytes.length, index + state.remaining);
      state.remaining -= end - index;
      if (state.remaining === 0) state.at = "data-end";
      if (!joined.add(bytes, index, end)) return null;
      index = end;
      continue;
    }
    const newline = lineEnd(bytes, index);
    const problem = takeLine(state, bytes, index, newline);
    if (problem !== null) return joined.flush() ? problem : null;
    if (newline < 0) break;
    index = newline + 1;
  }
  joined.flush();
  return null;
}

/** Where the line ends. Lines of a few bytes are searched here, since calling into the runtime costs more. */
function lineEnd(bytes: Buffer, index: number): number {
  const near = Math.min(bytes.length, index + 8);
  for (let at = index; at < near; at++) if (bytes[at] === 0x0a) return at;
  return bytes.indexOf(0x0a, near);
}

/** Passes short pieces on together: a body may come as a million chunks of one byte each. */
function joinShort(roomBytes: number, take: (data: Buffer) => boolean) {
  let room: Buffer | null = null;
  let length = 0;
  const flush = () => {
    if (room === null || length === 0) return true;
    const wanted = take(room.subarray(0, length));
    length = 0;
    return wanted;
  };
  const add = (bytes: Buffer, from: number, to: number) => {
    if (to - from >= JOINED_BYTES) return flush() && take(bytes.subarray(from, to));
    room ??= Buffer.allocUnsafe(roomBytes);
    if (to - from > 16) bytes.copy(room, length, from, to);
    else for (let at = from; at < to; at++) room[length + at - from] = bytes[at] as number;
    length += to - from;
    return true;
  };
  return { add, flush };
}

/** Takes the line from `index` to `newline` (-1: as far as it came); returns what is wrong with it, or null. */
function takeLine(state: ChunkedState, bytes: Buffer, index: number, newline: number): ChunkProblem | null {
  if (state.line === "" && newline >= 0 && takeShortLine(state, bytes, index, newline)) return null;
  const end = newline < 0 ? bytes.length : newline;
  state.line += bytes.toString("latin1", index, Math.min(end, index + LINE_LIMIT + 1));
  if (state.line.length > LINE_LIMIT) {
    return state.at === "trailer" ? "body.trailers" : "body.chunk_sizeless";
  }
  if (newline < 0) return null;
  const line = state.line;
  state.line = "";
  const isEmpty = line === "" || line === "\r";
  if (state.at === "trailer") {
    if (isEmpty) state.at = "end";
    state.trailerBytes += line.length;
    return state.trailerBytes > TRAILER_LIMIT_BYTES ? "body.trailers" : null;
  }
  if (state.at === "data-end") {
    state.at = "size";
    return isEmpty ? null : "body.chunk_long";
  }
  const size = SIZE_LINE.exec(line);
  if (size === null) return "body.chunk_invalid";
  beginChunk(state, Number.parseInt(size[1] ?? "", 16));
  return null;
}

function beginChunk(state: ChunkedState, size: number): void {
  state.remaining = size;
  state.at = size === 0 ? "trailer" : "data";
}

/** The usual lines, without making a string of each: the end of a chunk's data, or a size of one digit. */
function takeShortLine(state: ChunkedState, bytes: Buffer, index: number, newline: number): boolean {
  const end = newline > index && bytes[newline - 1] === 0x0d ? newline - 1 : newline;
  if (state.at !== "size") {
    if (end > index) return false;
    state.at = state.at === "trailer" ? "end" : "size";
    return true;
  }
  if (end !== index + 1) return false;
  const size = hexDigit(bytes[index] as number);
  if (size < 0) return false;
  beginChunk(state, size);
  return true;
}

/** -1 if it is not a digit. */
function hexDigit(code: number): number {
  if (code >= 0x30 && code <= 0x39) return code - 0x30;
  const letter = code | 0x20;
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : -1;
}
