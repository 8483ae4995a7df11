import { readFileSync, statSync } from "node:fs";
import { isIP } from "node:net";
import type { ResolvedAddress } from "./address.ts";

/** Where the system keeps its own names. */
export const SYSTEM_HOSTS_FILE =
  process.platform === "win32"
    ? `${process.env.SystemRoot ?? "C:\\Windows"}\\System32\\drivers\\etc\\hosts`
    : "/etc/hosts";

/** Name (lower case) to addresses, in the order of the file (hosts(5)). Lines that make no sense are skipped. */
export function parseHosts(text: string): Map<string, ResolvedAddress[]> {
  const hosts = new Map<string, ResolvedAddress[]>();
  for (const line of text.split("\n")) {
    const [address = "", ...names] = line.replace(/#.*/, "").trim().split(/\s+/);
    const family = isIP(address);
    if (family !== 4 && family !== 6) continue;
    for (const name of names) {
      const key = name.toLowerCase();
      const known = hosts.get(key);
      if (known === undefined) hosts.set(key, [{ address, family }]);
      else if (!known.some((one) => one.address === address)) known.push({ address, family });
    }
  }
  return hosts;
}

/**
 * Looks names up in a hosts file, which is read again when it changed; whether it did is asked at
 * most once a second of `now` (milliseconds). A file that cannot be read is an empty one.
 */
export function openHostsFile(
  path: string,
  now: () => number,
): (name: string) => ResolvedAddress[] | undefined {
  let hosts = new Map<string, ResolvedAddress[]>();
  let version = "";
  let lookedAt = Number.NEGATIVE_INFINITY;
  const refresh = () => {
    try {
      const { mtimeMs, size, ino } = statSync(path);
      const current = `${mtimeMs}/${size}/${ino}`;
      if (current === version) return;
      hosts = parseHosts(readFileSync(path, "utf8"));
      version = current;
    } catch {
      hosts = new Map();
      version = "";
    }
  };
  return (name) => {
    if (now() - lookedAt >= 1000) {
      lookedAt = now();
      refresh();
    }
    return hosts.get(name);
  };
}
