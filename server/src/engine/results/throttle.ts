import { setTimeout } from "node:timers/promises";
import { nextTurn } from "../../platform/turns.ts";

/** How long a slice of background work should take: well below the 50 ms that ingest may be held up. */
const BACKGROUND_SLICE_MS = 8;
const SMALLEST = 20;
const LARGEST = 2_000;
const FIRST = 200;

/** Background work that gives way: as many rows at a time as take 8 ms, then a pause at least as long. */
export interface Throttle {
  /** Repeats `slice` until it removes fewer rows than it was allowed to, or until the signal; returns the rows removed. */
  drain(slice: (limit: number) => Promise<number>): Promise<number>;
  /** One piece of work, of `limit` rows where it counts them. */
  once<T>(work: (limit: number) => Promise<T>): Promise<T>;
  readonly aborted: boolean;
  readonly slices: number;
  /** Milliseconds. */
  readonly longestMs: number;
}

/** The next number of rows, after `limit` rows took `elapsedMs`: at most half or double. */
export function nextLimit(limit: number, elapsedMs: number): number {
  const factor = Math.min(2, Math.max(0.5, BACKGROUND_SLICE_MS / Math.max(elapsedMs, 0.01)));
  return Math.round(Math.min(LARGEST, Math.max(SMALLEST, limit * factor)));
}

/** A throttle of its own for each run: what one machine does in 8 ms another does not. */
export function createThrottle(signal?: AbortSignal): Throttle {
  let busyMs = 0;
  let lastMs = 0;
  const stats = { slices: 0, longestMs: 0 };
  const once = async <T>(work: (limit: number) => Promise<T>, limit = FIRST): Promise<T> => {
    if (busyMs >= BACKGROUND_SLICE_MS) {
      await setTimeout(busyMs, undefined, { signal }).catch(() => {});
      busyMs = 0;
    }
    // SQLite answers without leaving this turn of the event loop: let others have theirs.
    await nextTurn();
    const begun = performance.now();
    const done = await work(limit);
    lastMs = performance.now() - begun;
    busyMs += lastMs;
    stats.slices += 1;
    stats.longestMs = Math.max(stats.longestMs, lastMs);
    return done;
  };
  const drain = async (slice: (limit: number) => Promise<number>): Promise<number> => {
    let total = 0;
    // From the start each time: a row of one table costs several of another.
    let limit = FIRST;
    while (!signal?.aborted) {
      const count = await once(slice, limit);
      total += count;
      if (count < limit) break;
      limit = nextLimit(limit, lastMs);
    }
    return total;
  };
  return {
    drain,
    once: (work) => once(work),
    get aborted() {
      return signal?.aborted ?? false;
    },
    get slices() {
      return stats.slices;
    },
    get longestMs() {
      return stats.longestMs;
    },
  };
}
