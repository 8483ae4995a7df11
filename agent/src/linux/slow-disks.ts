import type { Disk } from "./mounts.ts";
import { type DiskAnswer, type DiskQuery, queryByProgram } from "./query-disk.ts";
import type { Space } from "./space.ts";

/** How long a file system may take. */
export const LIMIT_MS = 2_000;
/** How long one that did not answer is left alone. */
export const RETRY_MS = 30_000;
/** So old an answer may be when it is reported: many that take long are not all queried between two reports. */
export const MAX_AGE_MS = 60_000;
/** How long a program may take to end once it is ended. */
const END_MS = 200;

/** What is known of a disk. Milliseconds of a clock that is never set. */
interface Known {
  /** As it answered last; null: it did not. */
  answer: Space[] | null;
  answeredAt: number;
  /** It did not answer, and is not queried before. */
  retryAt: number | null;
  /** Its query goes on, although it was abandoned: there is one of them at most for each disk. */
  isStuck: boolean;
}

interface Queued {
  disk: Disk;
  isRetry: boolean;
  end: () => void;
  ended: Promise<void>;
}

/** By device: disks that are of the same one are queried as one. */
export interface SlowAnswers {
  spaces: ReadonlyMap<string, Space[]>;
  /** The devices of those of which nothing is known: they did not answer, or not yet. */
  unanswered: ReadonlySet<string>;
}

/**
 * File systems that may never answer, such as those of another machine that is away: queried one after another, each given up after a limit.
 * Those that answered come first. None of them keeps another from being queried, and each is either measured or known not to be.
 */
export class SlowDisks {
  readonly #query: (disk: Disk) => DiskQuery;
  readonly #now: () => number;
  /** What is queried next, by device. */
  readonly #queue = new Map<string, Queued>();
  readonly #known = new Map<string, Known>();
  #isWorking = false;

  constructor(
    query: (disk: Disk) => DiskQuery = queryByProgram,
    now: () => number = () => performance.now(),
  ) {
    this.#query = query;
    this.#now = now;
  }

  /** Waits for those that are not known to be silent, twice the limit at most; the others are queried beside. */
  async read(disks: readonly Disk[]): Promise<SlowAnswers> {
    this.#forgetAllBut(new Set(disks.map(({ device }) => device)));
    const awaited: Promise<void>[] = [];
    for (const disk of disks) {
      const known = this.#known.get(disk.device);
      if (known?.isStuck) continue;
      const retryAt = known?.retryAt ?? null;
      if (retryAt === null) awaited.push(this.#enqueue(disk, false));
      else if (this.#now() >= retryAt) void this.#enqueue(disk, true);
    }
    if (!this.#isWorking) void this.#work();
    await within(Promise.all(awaited), 2 * LIMIT_MS);
    return this.#answersOf(disks);
  }

  #answersOf(disks: readonly Disk[]): SlowAnswers {
    const spaces = new Map<string, Space[]>();
    const unanswered = new Set<string>();
    for (const { device } of disks) {
      const known = this.#known.get(device);
      if (known?.answer && this.#now() - known.answeredAt <= MAX_AGE_MS) spaces.set(device, known.answer);
      else unanswered.add(device);
    }
    return { spaces, unanswered };
  }

  /** What was unmounted is neither silent nor queried any more. */
  #forgetAllBut(devices: ReadonlySet<string>): void {
    for (const device of this.#known.keys()) if (!devices.has(device)) this.#known.delete(device);
    for (const [device, { end }] of this.#queue) {
      if (devices.has(device)) continue;
      this.#queue.delete(device);
      end();
    }
  }

  #enqueue(disk: Disk, isRetry: boolean): Promise<void> {
    const queued = this.#queue.get(disk.device);
    if (queued) return queued.ended;
    let end = () => {};
    const ended = new Promise<void>((resolve) => {
      end = resolve;
    });
    this.#queue.set(disk.device, { disk, isRetry, end, ended });
    return ended;
  }

  async #work(): Promise<void> {
    this.#isWorking = true;
    while (this.#queue.size > 0) {
      const all = [...this.#queue.values()];
      const next = all.find(({ isRetry }) => !isRetry) ?? (all[0] as Queued);
      const { device } = next.disk;
      await this.#measure(next.disk);
      if (this.#queue.get(device) === next) this.#queue.delete(device);
      next.end();
    }
    this.#isWorking = false;
  }

  async #measure(disk: Disk): Promise<void> {
    const { answer, abandon } = this.#query(disk);
    const found = await within<DiskAnswer>(answer, LIMIT_MS);
    const answeredAt = this.#now();
    if (found) {
      this.#known.set(disk.device, { answer: found, answeredAt, retryAt: null, isStuck: false });
      return;
    }
    const known: Known = { answer: null, answeredAt, retryAt: answeredAt + RETRY_MS, isStuck: true };
    this.#known.set(disk.device, known);
    abandon();
    // One at a time: the next is queried when this one has ended, unless it cannot be ended at all.
    await within(
      answer.then(() => {
        known.isStuck = false;
      }),
      END_MS,
    );
  }
}

/** What it resolves to; null: it did not in that time. */
async function within<Value>(promise: Promise<Value>, ms: number): Promise<Value | null> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(resolve, ms, null);
  });
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}
