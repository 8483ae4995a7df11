/** Where within a chunked body (RFC 9112 §7.1) the reader stands. */
export interface ChunkedState {
  at: "size" | "data" | "data-end";
  /** The line of a chunk's size, as far as it came. */
  line: string;
  remaining: number;
  ended: boolean;
}

const LINE_LIMIT = 4096;
const SIZE_LINE = /^([0-9a-fA-F]{1,12})[ \t]*(?:;.*)?\r?$/;

export const newChunked = (): ChunkedState => ({ at: "size", line: "", remaining: 0, ended: false });

/**
 * Takes bytes of a chunked body and hands on the data within, until `take` says that it has enough
 * or the last chunk has come (trailers are of no interest). Returns what is wrong with them, or null.
 */
export function takeChunked(
  state: ChunkedState,
  bytes: Buffer,
  take: (data: Buffer) => boolean,
): string | null {
  let index = 0;
  while (index < bytes.length && !state.ended) {
    if (state.at === "data") {
      const data = bytes.subarray(index, index + state.remaining);
      index += data.length;
      state.remaining -= data.length;
      if (state.remaining === 0) state.at = "data-end";
      if (!take(data)) return null;
      continue;
    }
    const newline = bytes.indexOf(0x0a, index);
    const end = newline < 0 ? bytes.length : newline;
    state.line += bytes.toString("latin1", index, Math.min(end, index + LINE_LIMIT + 1));
    if (state.line.length > LINE_LIMIT) return "sent a chunk without a size";
    if (newline < 0) return null;
    index = newline + 1;
    const problem = takeLine(state);
    if (problem !== null) return problem;
  }
  return null;
}

function takeLine(state: ChunkedState): string | null {
  const line = state.line;
  state.line = "";
  if (state.at === "data-end") {
    state.at = "size";
    return line === "" || line === "\r" ? null : "sent a chunk that is longer than it said";
  }
  const size = SIZE_LINE.exec(line);
  if (size === null) return "sent a chunk without a valid size";
  state.remaining = Number.parseInt(size[1] ?? "", 16);
  state.ended = state.remaining === 0;
  state.at = "data";
  return null;
}
