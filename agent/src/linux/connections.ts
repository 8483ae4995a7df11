import { readlinkSync } from "node:fs";
import { MAX_ITEMS } from "../../../server/src/monitors/schemas/agent-report.ts";
import type { Connection, Snapshot } from "../report.ts";
import { namesIn, readText } from "./read-file.ts";

/** include/net/tcp_states.h, as `ss` calls them. */
const STATES: Readonly<Record<string, string>> = {
  "01": "established",
  "02": "syn-sent",
  "03": "syn-received",
  "04": "fin-wait-1",
  "05": "fin-wait-2",
  "06": "time-wait",
  "07": "closed",
  "08": "close-wait",
  "09": "last-ack",
  "0A": "listening",
  "0B": "closing",
};

interface Socket extends Omit<Connection, "processName"> {
  inode: string;
}

interface Owner {
  pid: string;
  name: string;
}

/** Connections and listening sockets of /proc/net, with the process each belongs to where this user may see that. */
export class Connections {
  readonly #proc: string;
  /** By the socket's inode; null: it has no process, or it cannot be seen. */
  #owners = new Map<string, Owner | null>();

  constructor(proc: string) {
    this.#proc = proc;
  }

  read(): Snapshot<Connection> {
    const sockets = (["tcp", "tcp6", "udp", "udp6"] as const).flatMap((table) =>
      socketsIn(readText(`${this.#proc}/net/${table}`) ?? "", table.startsWith("tcp") ? "tcp" : "udp"),
    );
    this.#findOwners(sockets);
    const items = sockets
      .toSorted((a, b) => Number(b.status === "listening") - Number(a.status === "listening"))
      .slice(0, MAX_ITEMS.connections)
      .map(({ inode, ...socket }) => ({ ...socket, processName: this.#owners.get(inode)?.name ?? null }));
    return { total: sockets.length, items };
  }

  /** Looking through processes costs more than everything else here: only for sockets that are new, and only until all are found. */
  #findOwners(sockets: readonly Socket[]): void {
    const open = new Set(sockets.map(({ inode }) => inode).filter((inode) => inode !== "0"));
    const found = this.#ownersOf(new Set([...open].filter((inode) => !this.#owners.has(inode))));
    for (const inode of open) if (!found.has(inode)) found.set(inode, this.#owners.get(inode) ?? null);
    this.#owners = found;
  }

  #ownersOf(wanted: Set<string>): Map<string, Owner | null> {
    const owners = new Map<string, Owner | null>();
    for (const pid of wanted.size > 0 ? this.#candidates() : []) {
      const inodes = this.#socketsOf(pid).filter((inode) => wanted.delete(inode));
      if (inodes.length === 0) continue;
      const owner = { pid, name: (readText(`${this.#proc}/${pid}/comm`) ?? "").trim() };
      for (const inode of inodes) owners.set(inode, owner);
      if (wanted.size === 0) break;
    }
    return owners;
  }

  /** All processes; first those that have had sockets, which are likely to have the new ones. */
  #candidates(): Iterable<string> {
    const before = Array.from(this.#owners.values(), (owner) => owner?.pid ?? "");
    const all = namesIn(this.#proc).filter((name) => /^\d/.test(name));
    return new Set([...before.filter((pid) => pid !== ""), ...all]);
  }

  #socketsOf(pid: string): string[] {
    const folder = `${this.#proc}/${pid}/fd`;
    return namesIn(folder).flatMap((name) => inodeOf(`${folder}/${name}`) ?? []);
  }
}

function inodeOf(link: string): string | null {
  try {
    const target = readlinkSync(link);
    return target.startsWith("socket:[") ? target.slice(8, -1) : null;
  } catch {
    return null;
  }
}

/** Lines such as `0: 0100007F:1F90 00000000:0000 0A … uid timeout inode …`. */
function socketsIn(text: string, protocol: "tcp" | "udp"): Socket[] {
  return text
    .split("\n")
    .slice(1)
    .flatMap((line) => {
      const fields = line.trim().split(/\s+/);
      const [, local = "", remote = "", state = ""] = fields;
      const inode = fields[9];
      if (inode === undefined) return [];
      const [localAddress, localPort] = endpoint(local);
      const [remoteAddress, remotePort] = endpoint(remote);
      const isOpen = remotePort === 0;
      const status = protocol === "tcp" ? (STATES[state] ?? state) : isOpen ? "listening" : "established";
      return [
        {
          ...{ localAddress, localPort, protocol, status, inode },
          ...{ remoteAddress: isOpen ? null : remoteAddress, remotePort: isOpen ? null : remotePort },
        },
      ];
    });
}

/** `0100007F:1F90`: words of 32 bits as this machine keeps them, and the port in hexadecimal. */
function endpoint(text: string): [address: string, port: number] {
  const [hex = "", port = "0"] = text.split(":");
  const bytes = Buffer.from(hex, "hex");
  for (let at = 0; at + 4 <= bytes.length; at += 4) bytes.subarray(at, at + 4).reverse();
  return [bytes.length === 16 ? sixteenBytes(bytes) : bytes.join("."), Number.parseInt(port, 16)];
}

const MAPPED = Buffer.from("00000000000000000000ffff", "hex");

/** RFC 5952: no leading zeros, the longest run of zeros left out, an IPv4 address inside as such. */
function sixteenBytes(bytes: Buffer): string {
  if (bytes.subarray(0, 12).equals(MAPPED)) return bytes.subarray(12).join(".");
  const groups = Array.from({ length: 8 }, (_, at) => bytes.readUInt16BE(at * 2).toString(16));
  return new URL(`http://[${groups.join(":")}]/`).hostname.slice(1, -1);
}
