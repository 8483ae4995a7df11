import { fact } from "../texts/fact.ts";
import { type ChunkedState, newChunked, takeChunked } from "./http-chunked.ts";
import type { Ended, Reason, ReasonAt } from "./reasons.ts";

/** How much of a body is kept where nobody asks for it: what may be shown of it (evidence.ts), and a little more. */
export const BODY_HEAD_BYTES = 4096 + 64;

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
    if (problem !== null) failBody(reader, (where) => fact(problem, { where }));
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
  if (arrived === 0) return fact("body.none", how);
  return announced === null
    ? fact("body.after", { ...how, arrived })
    : fact("body.some", { ...how, arrived, announced });
}

/** Why a body has failed. */
export const bodyFailed = (where: string, { failure }: BodyReader): Reason =>
  failure?.(where) ?? fact("protocol.incomplete", { where });

function failBody(reader: BodyReader, failure: ReasonAt): void {
  reader.state = "failed";
  reader.failure = failure;
}
