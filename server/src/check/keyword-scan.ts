import type { Assertion } from "./assertion-config.ts";
import { containsText } from "./contains-text.ts";

/**
 * For checks that only need some keywords to be present in the body: gets every piece, and says when all have been
 * seen and `leastBytes` have been read, so that the rest need not be. Null when the whole body is needed.
 */
export function keywordScan(
  assertions: readonly Assertion[],
  leastBytes: number,
): ((piece: Buffer) => boolean) | null {
  const missing = new Set<string>();
  for (const assertion of assertions) {
    if (assertion.type === "json") return null;
    if (assertion.type !== "keyword") continue;
    // Beyond ASCII the bytes depend on the charset: then the body is read, decoded and searched.
    if (assertion.operator === "absent" || !/^[\x00-\x7f]*$/.test(assertion.value)) return null;
    missing.add(assertion.value);
  }
  const longest = Math.max(...Array.from(missing, (keyword) => keyword.length));
  let tail = Buffer.alloc(0);
  let read = 0;
  return (piece) => {
    read += piece.length;
    if (missing.size === 0) return read >= leastBytes;
    const bytes = Buffer.concat([tail, piece]);
    const text = bytes.toString("latin1");
    for (const keyword of missing) if (containsText(text, keyword)) missing.delete(keyword);
    tail = bytes.subarray(Math.max(0, bytes.length - longest + 1));
    return missing.size === 0 && read >= leastBytes;
  };
}
