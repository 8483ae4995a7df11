import { existsSync, readlinkSync } from "node:fs";
import { basename } from "node:path";
import type { Metrics } from "../report.ts";
import { Rates } from "./rates.ts";
import { readNumber, readText } from "./read-file.ts";

/** The machine's talk with itself, and the ends of containers' cables, which come and go. */
const INNER = /^(?:lo|veth.*|cali.*|lxc[0-9a-f]{8,})$/;

const COUNTERS = ["rx", "tx", "errors"] as const;

/** By the kernel's numbers (if_arp.h): Ethernet, and the interface of an OpenVZ container, which is of no kind. */
const ENDS: readonly number[] = [1, 0xffff];
/** Kinds of interfaces that carry again what others have carried. */
const STACKED = /^DEVTYPE=(?:bridge|bond|team|vlan|vxlan|geneve|wireguard|hsr|ppp|wwan|batadv|macsec)$/m;

/** Bytes and errors a second by interface, from /proc/net/dev, and of the machine: of the interfaces that are hardware. */
export class NetworkTraffic {
  readonly #proc: string;
  readonly #sys: string;
  readonly #rates = new Rates();

  constructor(proc: string, sys: string) {
    this.#proc = proc;
    this.#sys = sys;
  }

  read(now: number): Metrics {
    const counters = new Map<string, number>();
    const names: string[] = [];
    for (const line of (readText(`${this.#proc}/net/dev`) ?? "").split("\n").slice(2)) {
      const end = line.lastIndexOf(":");
      const name = line.slice(0, end).trim();
      if (end < 0 || INNER.test(name)) continue;
      const fields = line
        .slice(end + 1)
        .trim()
        .split(/\s+/)
        .map(Number);
      names.push(name);
      counters.set(`network.${name}.rx`, fields[0] ?? 0);
      counters.set(`network.${name}.tx`, fields[8] ?? 0);
      counters.set(`network.${name}.errors`, (fields[2] ?? 0) + (fields[10] ?? 0));
    }
    const metrics: Metrics = Object.fromEntries(this.#rates.since(counters, now));
    const counted = this.#countedOf(names);
    for (const figure of COUNTERS) {
      const rates = counted.map((name) => metrics[`network.${name}.${figure}`]);
      // A sum without one of them, whose counter began again, would be too little.
      if (rates.length > 0 && rates.every((rate) => rate !== undefined))
        metrics[`network.${figure}`] = rates.reduce((sum, rate) => sum + rate, 0);
    }
    return metrics;
  }

  /** Those whose bytes make up the machine's: bridges, bonds, VLANs, tunnels and the like carry the same ones again. */
  #countedOf(names: readonly string[]): string[] {
    const physical = names.filter((name) => this.#isPhysical(name));
    if (physical.length > 0) return physical.filter((name) => !this.#isCountedByAnother(name, physical));
    // A container has none: its end of a cable counts, or else whatever it has, such as a tunnel that was moved into it.
    const ends = names.filter((name) => this.#isEnd(name));
    return ends.length > 0 ? ends : [...names];
  }

  #folder(name: string): string {
    return `${this.#sys}/class/net/${name}`;
  }

  #isPhysical(name: string): boolean {
    const device = `${this.#folder(name)}/device`;
    // A Xen host has one for each of its guests' cables, whose bytes its cards carry.
    return existsSync(device) && linkedName(`${device}/subsystem`) !== "xen-backend";
  }

  /** A cloud's fast interface behind its plain one, and a port of a switch chip in front of its own: the bytes are the other's, too. */
  #isCountedByAnother(name: string, physical: readonly string[]): boolean {
    const folder = this.#folder(name);
    const master = linkedName(`${folder}/master`);
    const below = readNumber(`${folder}/iflink`);
    return physical.some(
      (other) =>
        other !== name &&
        (other === master || (below !== null && below === readNumber(`${this.#folder(other)}/ifindex`))),
    );
  }

  #isEnd(name: string): boolean {
    const folder = this.#folder(name);
    const isStacked = STACKED.test(readText(`${folder}/uevent`) ?? "");
    const isTunnel = existsSync(`${folder}/tun_flags`);
    const kind = readNumber(`${folder}/type`);
    return (kind === null || ENDS.includes(kind)) && !isStacked && !isTunnel;
  }
}

function linkedName(path: string): string | null {
  try {
    return basename(readlinkSync(path));
  } catch {
    return null;
  }
}
