import { readFileSync, statSync } from "node:fs";

/** How often, at most, a file is checked for changes. */
const LOOK_MS = 1_000;

/**
 * What `parse` makes of a file; the same object for as long as the file is the same. The file is checked for changes
 * at most once a second of `now` (milliseconds), and only when its content is wanted. One that cannot be read counts
 * as empty.
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
