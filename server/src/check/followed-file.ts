import { readFileSync, statSync } from "node:fs";

/** How often it is asked at most whether a file has changed. */
const LOOK_MS = 1_000;

/**
 * What `parse` makes of a file, the same object for as long as the file is the same. Whether it has changed is
 * asked at most once a second of `now` (milliseconds), when the answer is wanted. A file that cannot be read is
 * an empty one.
 */
export function followFile<T>(path: string, parse: (text: string) => T, now: () => number): () => T {
  const empty = parse("");
  let content = empty;
  let version = "";
  let lookedAtMs = Number.NEGATIVE_INFINITY;
  const look = () => {
    const stats = statSync(path, { throwIfNoEntry: false });
    const current = stats === undefined ? "" : `${stats.mtimeMs}/${stats.size}/${stats.ino}`;
    if (current === version) return;
    content = current === "" ? empty : parse(readFileSync(path, "utf8"));
    version = current;
  };
  return () => {
    const at = now();
    if (at - lookedAtMs < LOOK_MS) return content;
    lookedAtMs = at;
    try {
      look();
    } catch {
      content = empty;
      version = "";
    }
    return content;
  };
}
