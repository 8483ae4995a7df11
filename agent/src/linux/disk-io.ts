import type { Metrics } from "../report.ts";
import { Rates } from "./rates.ts";
import { namesIn, readText } from "./read-file.ts";

/** /proc/diskstats counts in sectors of 512 bytes, whatever the disk has (Documentation/admin-guide/iostats.rst). */
const SECTOR_BYTES = 512;

/** A disk of memory, of a file or of other disks is counted where it ends up. */
const ELSEWHERE = /^(?:loop|ram|zram|dm-|md|sr|fd)\d/;

/** Bytes a second read from and written to each whole disk, and the share of time in which it was busy. */
export class DiskIo {
  readonly #proc: string;
  readonly #sys: string;
  readonly #rates = new Rates();

  constructor(proc: string, sys: string) {
    this.#proc = proc;
    this.#sys = sys;
  }

  read(now: number): Metrics {
    // Partitions have no folder of their own there.
    const disks = new Set(namesIn(`${this.#sys}/block`).filter((name) => !ELSEWHERE.test(name)));
    const counters = new Map<string, number>();
    for (const line of (readText(`${this.#proc}/diskstats`) ?? "").split("\n")) {
      const fields = line.trim().split(/\s+/);
      const name = fields[2];
      if (name === undefined || !disks.has(name)) continue;
      counters.set(`disk.${name}.read`, Number(fields[5]) * SECTOR_BYTES);
      counters.set(`disk.${name}.write`, Number(fields[9]) * SECTOR_BYTES);
      // Milliseconds in which it had requests to serve: a second of them a second is 100 %.
      counters.set(`disk.${name}.busy`, Number(fields[12]) / 10);
    }
    const metrics: Metrics = {};
    for (const [name, rate] of this.#rates.since(counters, now)) {
      metrics[name] = name.endsWith(".busy") ? Math.min(100, rate) : rate;
    }
    return metrics;
  }
}
