import { isIP } from "node:net";
import type { ResolvedAddress } from "./address.ts";
import { followFile } from "./followed-file.ts";

/** Where the system keeps its own names. */
export const SYSTEM_HOSTS_FILE =
  process.platform === "win32"
    ? `${process.env.SystemRoot ?? "C:\\Windows"}\\System32\\drivers\\etc\\hosts`
    : "/etc/hosts";

/** Of one name. */
const MAX_ADDRESSES = 64;

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
      else if (known.length < MAX_ADDRESSES && !known.some((one) => one.address === address))
        known.push({ address, family });
    }
  }
  return hosts;
}

/** Looks names up in a hosts file, and notices its changes. */
export function openHostsFile(
  path: string,
  now: () => number,
): (name: string) => ResolvedAddress[] | undefined {
  const hosts = followFile(path, parseHosts, now);
  return (name) => hosts().get(name);
}
