import { randomFillSync } from "node:crypto";

/** Asking for four bytes costs as much as asking for all of these. */
const pool = Buffer.alloc(4096);
let used = pool.length;

/** So many bytes that nobody can guess, at most 4096; each is given once. */
export function randomBytes(count: number): Buffer {
  if (used + count > pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  const bytes = Buffer.from(pool.subarray(used, used + count));
  used += count;
  return bytes;
}
