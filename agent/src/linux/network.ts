import type { Metrics } from "../report.ts";
import { Rates } from "./rates.ts";
import { readText } from "./read-file.ts";

/** The machine's talk with itself, and the ends of containers' cables, which come and go. */
const INNER = /^(?:lo|veth.*|cali.*|lxc[0-9a-f]{8,})$/;

/** Bytes and errors a second by interface, from /proc/net/dev. */
export class NetworkTraffic {
  readonly #proc: string;
  readonly #rates = new Rates();

  constructor(proc: string) {
    this.#proc = proc;
  }

  read(now: number): Metrics {
    const counters = new Map<string, number>();
    for (const line of (readText(`${this.#proc}/net/dev`) ?? "").split("\n").slice(2)) {
      const end = line.lastIndexOf(":");
      const name = line.slice(0, end).trim();
      if (end < 0 || INNER.test(name)) continue;
      const fields = line
        .slice(end + 1)
        .trim()
        .split(/\s+/)
        .map(Number);
      counters.set(`network.${name}.rx`, fields[0] ?? 0);
      counters.set(`network.${name}.tx`, fields[8] ?? 0);
      counters.set(`network.${name}.errors`, (fields[2] ?? 0) + (fields[10] ?? 0));
    }
    return Object.fromEntries(this.#rates.since(counters, now));
  }
}
