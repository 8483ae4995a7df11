import { type ChunkedState, newChunked, takeChunked } from "./http-chunked.ts";
import type { Failure } from "./reasons.ts";

/** How much of a body is read, and what becomes of it. */
export interface BodyLimit {
  /** At most this many bytes, not counting the framing of chunks; 0: the body is not wanted. */
  bytes: number;
  /** Why they are read: to see that the answer is whole, that it can be decoded as well, or for their text. */
  purpose: "framing" | "encoding" | "text";
  /** Told of every piece; true when the rest is not needed. */
  enough: ((data: Buffer) => boolean) | null;
}

/** For an answer whose body does not matter. */
export const NO_BODY: BodyLimit = { bytes: 0, purpose: "framing", enough: null };

/** A body on its way. Bytes given to it may be reused after. */
export interface BodyReader {
  state: "reading" | "done" | "failed";
  /** Why it failed; a sentence about the server without its subject: `sent …`. */
  failure: string;
  /** What arrived of one that broke off, in words; null where what came was wrong. */
  brokenOff: string | null;
  /** As they came, still encoded; none where only the framing is of interest. */
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
    failure: "",
    brokenOff: null,
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
    const failure = takeChunked(chunked, bytes, (data) => takeData(reader, data));
    if (failure !== null) failBody(reader, failure);
    else if (chunked.at === "end") reader.state = "done";
  } else if (announcedBytes === null) {
    takeData(reader, bytes);
  } else {
    takeData(reader, bytes.subarray(0, announcedBytes - reader.arrivedBytes));
    if (reader.arrivedBytes === announcedBytes) reader.state = "done";
  }
}

/**
 * Counts and keeps data; returns whether to go on. At the limit nobody waits to see whether the body ends right
 * there.
 */
function takeData(reader: BodyReader, data: Buffer): boolean {
  const { bytes, purpose, enough } = reader.limit;
  const taken = data.subarray(0, bytes - reader.arrivedBytes);
  reader.arrivedBytes += taken.length;
  if (purpose !== "framing") reader.pieces.push(Buffer.from(taken));
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

/**
 * The connection ended; `how` is a sentence without its subject: `closed the connection`. A body that
 * lasts until then is whole if that was `orderly`; any other one has failed.
 */
export function endBody(reader: BodyReader, how: string, orderly: boolean): void {
  if (reader.state !== "reading") return;
  if (orderly && lastsUntilClose(reader)) reader.state = "done";
  else {
    reader.brokenOff = partOf(reader);
    failBody(reader, how);
  }
}

function partOf({ announcedBytes, arrivedBytes }: BodyReader): string {
  if (arrivedBytes === 0) return "None of the body arrived";
  return announcedBytes === null
    ? `The body broke off after byte ${arrivedBytes}`
    : `Only ${arrivedBytes} of ${announcedBytes} bytes of the body arrived`;
}

/** Why a body has failed. What is missing comes first: lists show the beginning of a sentence. */
export const bodyFailed = (where: string, { brokenOff, failure }: BodyReader): Failure => ({
  reasonCode: "body",
  reason: brokenOff === null ? `${where} ${failure}.` : `${brokenOff}: ${where} ${failure}.`,
});

function failBody(reader: BodyReader, sentence: string): void {
  reader.state = "failed";
  reader.failure = sentence;
}
