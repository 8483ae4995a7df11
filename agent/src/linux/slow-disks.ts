import { execFile } from "node:child_process";

/** What `stat -f` says of the file system at a path. Blocks are of `blockBytes`. */
export interface StatFs {
  blockBytes: number;
  blocks: number;
  free: number;
  /** Of what is free, what anybody may use. */
  available: number;
  files: number;
  freeFiles: number;
}

/** A question under way. */
export interface Asked {
  /** By path; those that cannot be asked are left out. */
  answer: Promise<Map<string, StatFs>>;
  /** Gives up on it. */
  abandon(): void;
}
type Ask = (paths: readonly string[]) => Asked;

interface Slow {
  path: string;
  places: readonly string[];
}

interface Waiting {
  disk: Slow;
  isRetry: boolean;
  done: () => void;
  ended: Promise<void>;
}

/** How long a file system may take. */
export const LIMIT_MS = 2_000;
/** How long one that did not answer is left alone. */
export const RETRY_MS = 30_000;
/** Of questions that do not even end when they are abandoned; with more of them nothing is asked. */
const MOST_STUCK = 8;

/**
 * File systems that may never answer, such as those of another machine that is away: asked one after another by a process of its own, which
 * is ended after a limit. Those that answered come first, so that none of them waits for more than one that does not.
 */
export class SlowDisks {
  readonly #ask: Ask;
  readonly #now: () => number;
  /** What is asked next, by path. */
  readonly #queue = new Map<string, Waiting>();
  #isAsking = false;
  /** By path, until when it is left alone. */
  readonly #silent = new Map<string, number>();
  /** Paths whose question does not end. */
  readonly #stuck = new Set<string>();
  readonly #answers = new Map<string, Map<string, StatFs>>();

  constructor(ask: Ask = askStat, now: () => number = () => performance.now()) {
    this.#ask = ask;
    this.#now = now;
  }

  /** The paths of those that did not answer when they were asked last. */
  get unresponsive(): string[] {
    return [...this.#silent.keys()];
  }

  /** What they answer, by their paths and then by place. Waits for those that answered before, twice the limit at most. */
  async read(disks: readonly Slow[]): Promise<Map<string, Map<string, StatFs>>> {
    this.#forgetAllBut(new Set(disks.map(({ path }) => path)));
    this.#answers.clear();
    if (this.#stuck.size >= MOST_STUCK) return new Map();
    const awaited: Promise<void>[] = [];
    for (const disk of disks) {
      const leftUntil = this.#silent.get(disk.path);
      if (leftUntil === undefined) awaited.push(this.#enqueue(disk, false));
      else if (this.#now() >= leftUntil && !this.#stuck.has(disk.path)) void this.#enqueue(disk, true);
    }
    if (!this.#isAsking) void this.#work();
    await within(Promise.all(awaited), 2 * LIMIT_MS);
    return new Map(this.#answers);
  }

  /** What was unmounted is no longer silent. */
  #forgetAllBut(paths: ReadonlySet<string>): void {
    for (const path of this.#silent.keys()) if (!paths.has(path)) this.#silent.delete(path);
  }

  #enqueue(disk: Slow, isRetry: boolean): Promise<void> {
    const waiting = this.#queue.get(disk.path);
    if (waiting) return waiting.ended;
    let done = () => {};
    const ended = new Promise<void>((resolve) => {
      done = resolve;
    });
    this.#queue.set(disk.path, { disk, isRetry, done, ended });
    return ended;
  }

  async #work(): Promise<void> {
    this.#isAsking = true;
    while (this.#queue.size > 0 && this.#stuck.size < MOST_STUCK) {
      const all = [...this.#queue.values()];
      const { disk, done } = all.find(({ isRetry }) => !isRetry) ?? (all[0] as (typeof all)[number]);
      await this.#measure(disk);
      this.#queue.delete(disk.path);
      done();
    }
    this.#isAsking = false;
  }

  async #measure({ path, places }: Slow): Promise<void> {
    const { answer, abandon } = this.#ask(places);
    const found = await within(answer, LIMIT_MS);
    if (found) {
      this.#silent.delete(path);
      this.#answers.set(path, found);
      return;
    }
    this.#silent.set(path, this.#now() + RETRY_MS);
    this.#stuck.add(path);
    abandon();
    const ended = answer.then(() => this.#stuck.delete(path));
    // One at a time: the next is asked when this one has ended, unless it cannot be ended at all.
    await within(ended, LIMIT_MS);
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

const FORMAT = "%S %b %f %a %c %d %n";
const LINE = /^(\d+) (\d+) (\d+) (\d+) (\d+) (\d+) (.*)$/;

/**
 * Asks by `stat` of coreutils or BusyBox: a call of this process's own would keep one of the four threads by which names are looked up, for as
 * long as the file system does not answer. Where there is no `stat`, nothing is answered.
 */
function askStat(paths: readonly string[]): Asked {
  const stop = new AbortController();
  const options = { signal: stop.signal, killSignal: "SIGKILL" } as const;
  const answer = new Promise<Map<string, StatFs>>((resolve) => {
    const child = execFile("stat", ["-f", "-c", FORMAT, "--", ...paths], options, (_error, stdout) => {
      // What it could say of some is known although it failed on others.
      const found = linesOf(stdout);
      if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) resolve(found);
      else child.once("exit", () => resolve(found));
    });
  });
  return { answer, abandon: () => stop.abort() };
}

const linesOf = (text: string): Map<string, StatFs> =>
  new Map(
    text.split("\n").flatMap((line) => {
      const [, ...fields] = LINE.exec(line) ?? [];
      const path = fields.pop();
      if (path === undefined) return [];
      const [blockBytes = 0, blocks = 0, free = 0, available = 0, files = 0, freeFiles = 0] =
        fields.map(Number);
      return [[path, { blockBytes, blocks, free, available, files, freeFiles }] as const];
    }),
  );
