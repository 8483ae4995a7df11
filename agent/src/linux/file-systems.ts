import { statfsSync } from "node:fs";
import type { Metrics } from "../report.ts";
import { type Disk, disksIn } from "./mounts.ts";
import { readText } from "./read-file.ts";
import { SlowDisks, type StatFs } from "./slow-disks.ts";

interface Space {
  path: string;
  total: number;
  /** Of what may be used by anybody; what is kept for root counts as used, as `df` has it. */
  usage: number;
  used: number;
  /** In percent; null where the file system does not count them. */
  inodeUsage: number | null;
}

/** The mounted real file systems and how full they are. */
export class FileSystems {
  readonly #proc: string;
  readonly #slow: SlowDisks;
  /** What each is called, by its device. */
  #names: ReadonlyMap<string, string> = new Map();

  constructor(proc: string, slow = new SlowDisks()) {
    this.#proc = proc;
    this.#slow = slow;
  }

  /** Where something is mounted that did not answer when it was asked last. */
  unresponsive(): string[] {
    return this.#slow.unresponsive;
  }

  async read(): Promise<Space[]> {
    const disks = disksIn(readText(`${this.#proc}/self/mountinfo`) ?? "", this.#names);
    this.#names = new Map(disks.map(({ device, path }) => [device, path]));
    const slow = disks
      .filter(({ isLocal }) => !isLocal)
      .map((disk) => ({ ...disk, places: disk.isPool ? disk.places : disk.places.slice(0, 1) }));
    const answers = slow.length > 0 ? await this.#slow.read(slow) : new Map<string, Map<string, StatFs>>();
    return disks.flatMap((disk) => {
      const found = disk.isLocal ? localAnswer(disk) : [...(answers.get(disk.path)?.values() ?? [])];
      return spaceOf(disk, found) ?? [];
    });
  }
}

/** Asked here and now, which costs a hundredth of a thread's, or a process's, doing: the first of its places that this user may see. */
function localAnswer({ places }: Disk): StatFs[] {
  for (const place of places) {
    try {
      const { bsize, blocks, bfree, bavail, files, ffree } = statfsSync(place);
      return [{ blockBytes: bsize, blocks, free: bfree, available: bavail, files, freeFiles: ffree }];
    } catch {
      // Gone, or not for this user.
    }
  }
  return [];
}

/** Datasets of a pool share what is free; each says of the pool what it uses itself and what it could have. */
function spaceOf({ path, isPool }: Disk, found: readonly StatFs[]): Space | null {
  const real = found.filter(({ blocks }) => blocks > 0);
  const [first] = real;
  if (!first) return null;
  const used = real.reduce((sum, { blocks, free, blockBytes }) => sum + (blocks - free) * blockBytes, 0);
  const available = Math.max(...real.map((one) => one.available * one.blockBytes));
  const usage = (100 * used) / (used + available || 1);
  const { blocks, blockBytes, files, freeFiles } = first;
  return {
    ...{ path, used, usage },
    total: isPool ? used + available : blocks * blockBytes,
    inodeUsage: isPool || files === 0 ? null : (100 * (files - freeFiles)) / files,
  };
}

export function spaceMetrics(spaces: readonly Space[]): Metrics {
  const metrics: Metrics = {};
  for (const { path, total, used, usage, inodeUsage } of spaces) {
    metrics[`disk.${path}.usage`] = usage;
    metrics[`disk.${path}.used`] = used;
    metrics[`disk.${path}.total`] = total;
    if (inodeUsage !== null) metrics[`disk.${path}.inodes`] = inodeUsage;
  }
  return metrics;
}
