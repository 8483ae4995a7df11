import { closeSync, openSync, readdirSync, readSync } from "node:fs";

/** Grows to the largest file seen; files of /proc have no size that could be read. */
let buffer = Buffer.allocUnsafeSlow(16 * 1024);
const MAX_BYTES = 32 * 1024 * 1024;

/**
 * The text of a small file, null where there is none or it may not be read. Synchronous and into one buffer: files of /proc and
 * /sys are made by the kernel at once, and every promise would cost more than the reading.
 */
export function readText(path: string): string | null {
  let descriptor: number;
  try {
    descriptor = openSync(path, "r");
  } catch {
    return null;
  }
  try {
    return readAll(descriptor);
  } catch {
    return null;
  } finally {
    closeSync(descriptor);
  }
}

function readAll(descriptor: number): string {
  let length = 0;
  for (;;) {
    const read = readSync(descriptor, buffer, length, buffer.length - length, null);
    if (read === 0) return buffer.toString("utf8", 0, length);
    length += read;
    if (length < buffer.length) continue;
    if (length >= MAX_BYTES) return buffer.toString("utf8", 0, length);
    const larger = Buffer.allocUnsafeSlow(buffer.length * 2);
    buffer.copy(larger);
    buffer = larger;
  }
}

/** The names in a folder; none where there is no such folder or it may not be read. */
export function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** The whole number in a file of one line, null where there is none. */
export function readNumber(path: string): number | null {
  const text = readText(path)?.trim();
  return text === undefined || !/^-?\d+$/.test(text) ? null : Number(text);
}
