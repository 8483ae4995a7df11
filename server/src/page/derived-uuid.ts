import { createHash } from "node:crypto";

/** The uuid (version 8, RFC 9562) that a part of something always has, so that it needs none in the store. */
export function derivedUuid(uuid: string, part: string | number): string {
  const hash = createHash("sha256").update(`${uuid} ${part}`).digest("hex");
  const variant = ((Number.parseInt(hash.charAt(16), 16) & 3) | 8).toString(16);
  return [
    hash.slice(0, 8),
    hash.slice(8, 12),
    `8${hash.slice(13, 16)}`,
    variant + hash.slice(17, 20),
    hash.slice(20, 32),
  ].join("-");
}
