import { disksIn } from "./mounts.ts";
import { querySafely } from "./query-disk.ts";
import { readText } from "./read-file.ts";
import { SlowDisks } from "./slow-disks.ts";
import type { Space } from "./space.ts";

/** How full the disks are, and where those are mounted that did not say. */
export interface DiskReading {
  spaces: Space[];
  unresponsive: string[];
}

/** The mounted real file systems and how full they are. */
export class FileSystems {
  readonly #proc: string;
  readonly #slow: SlowDisks;
  /** By device, of those that have answered: what they are called, a pool with its parts. */
  #named: ReadonlyMap<string, readonly string[]> = new Map();
  #spaces: readonly Space[] = [];

  constructor(proc: string, slow = new SlowDisks()) {
    this.#proc = proc;
    this.#slow = slow;
  }

  /** Bytes, as of the latest reading. */
  get totalBytes(): number {
    return this.#spaces.reduce((sum, { total, isPart }) => sum + (isPart ? 0 : total), 0);
  }

  async read(): Promise<DiskReading> {
    const disks = disksIn(readText(`${this.#proc}/self/mountinfo`) ?? "", this.#named);
    const slow = await this.#slow.read(disks.filter(({ isSafe }) => !isSafe));
    const named = new Map<string, readonly string[]>();
    const spaces: Space[] = [];
    const unresponsive: string[] = [];
    for (const disk of disks) {
      const { device, places } = disk;
      const found = disk.isSafe ? querySafely(disk) : (slow.spaces.get(device) ?? null);
      const before = (this.#named.get(device) ?? []).filter((path) => places.includes(path));
      const paths = found ? found.map(({ path }) => path) : before;
      if (paths.length > 0) named.set(device, paths);
      if (found) spaces.push(...found);
      else unresponsive.push(...(before.length > 0 ? before : [places[0]]));
    }
    this.#named = named;
    this.#spaces = spaces;
    return { spaces, unresponsive };
  }
}
