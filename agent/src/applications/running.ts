import { readlinkSync } from "node:fs";
import { namesIn } from "../linux/read-file.ts";

/** Files of the programs that run now, as far as this user may see whose they are. */
export function runningFiles(proc: string): ReadonlySet<string> {
  const files = new Set<string>();
  for (const pid of namesIn(proc)) {
    if (!/^\d/.test(pid)) continue;
    try {
      files.add(plain(readlinkSync(`${proc}/${pid}/exe`)));
    } catch {
      // The kernel's own, another user's, or over.
    }
  }
  return files;
}

/**
 * A file's path as packages may name it: `/bin` is a link to `/usr/bin` on most machines today, and a program that was
 * replaced while it runs is marked as deleted.
 */
export const plain = (path: string): string => path.replace(/ \(deleted\)$/, "").replace(/^\/usr(?=\/)/, "");
