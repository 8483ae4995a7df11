/** Where within a chunked body (RFC 9112 §7.1) the reader stands. */
export interface ChunkedState {
  at: "size" | "data" | "data-end" | "trailer" | "end";
  /** The line of a chunk's size, as far as it came. */
  line: string;
  remaining: number;
  trailerBytes: number;
}

/** What may be wrong with the bytes. */
export type ChunkProblem = `body.${"chunk_invalid" | "chunk_sizeless" | "chunk_long" | "trailers"}`;

const LINE_LIMIT = 4096;
const TRAILER_LIMIT_BYTES = 65_536;
const SIZE_LINE = /^([0-9a-fA-F]{1,12})[ \t]*(?:;.*)?\r?$/;
/** Chunks at least this long are handed on as they are; shorter ones together, a read at a time. */
const JOINED_BYTES = 1024;

export const newChunked = (): ChunkedState => ({ at: "size", line: "", remaining: 0, trailerBytes: 0 });

/**
 * Takes bytes of a chunked body and passes on the data in them, until `take` says that it has enough or the end has
 * come: the empty line after the last chunk and its trailers, which are ignored. Returns what is wrong with the
 * bytes, or null.
 */
export function takeChunked(
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
