import { bordersOf } from "./contains-text.ts";

/**
 * Looks for something in a stream, piece by piece: how many bytes of this piece belong to it, its end included, or -1
 * while it has not ended. Never looks at a byte twice. Not to be called again once it has found its end.
 */
export type StreamSearch = (piece: Buffer) => number;

const LINE_FEED = 0x0a;

/** For the end of a line, however it is written (LF or CR LF). */
export const searchLineEnd = (): StreamSearch => (piece) => piece.indexOf(LINE_FEED) + 1 || -1;

/** For the last of so many bytes, at least one. */
export function searchLength(length: number): StreamSearch {
  let left = length;
  return (piece) => {
    const at = left <= piece.length ? left : -1;
    left -= piece.length;
    return at;
  };
}

/** For a text, which must not be empty, as UTF-8. */
export function searchText(text: string): StreamSearch {
  const wanted = Buffer.from(text, "utf8");
  const borders = bordersOf(wanted.toString("latin1"));
  let matched = 0;
  return (piece) => {
    for (let at = 0; at < piece.length; at++) {
      const byte = piece[at];
      while (matched > 0 && wanted[matched] !== byte) matched = borders[matched - 1] ?? 0;
      if (wanted[matched] === byte) matched++;
      if (matched === wanted.length) return at + 1;
    }
    return -1;
  };
}
