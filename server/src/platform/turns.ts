import { setImmediate } from "node:timers/promises";

/** How long one piece of work may hold the main thread before it gives way; milliseconds. */
export const SLICE_MS = 4;
/** Reading the clock for every item would cost more than most items do. */
const ITEMS = 32;

/** Resolves once everything else that was ready has had its turn of the event loop. */
export const nextTurn = (): Promise<void> => setImmediate();

let last: Promise<void> = Promise.resolve();

/** Resolves in a turn in which no other call of this does: many pieces of work at once delay others by one. */
export function ownTurn(): Promise<void> {
  last = last.then(nextTurn);
  return last;
}

export type GiveWay = () => Promise<void>;

/** Yields after each 4 ms of work: SQLite answers within the turn, so a long answer would block the loop. */
export function takeTurns(): GiveWay {
  let begun = performance.now();
  return async () => {
    if (performance.now() - begun < SLICE_MS) return;
    // A turn of its own: a hundred long answers at once would else go on together, each for 4 ms.
    await ownTurn();
    begun = performance.now();
  };
}

/** Calls `work` with `size` items at a time, in order, giving way in between; `giveWay`: the caller's own. */
export async function inSlices<T>(
  items: readonly T[],
  size: number,
  work: (slice: T[]) => Promise<void> | void,
  giveWay: GiveWay = takeTurns(),
): Promise<void> {
  for (let from = 0; from < items.length; from += size) {
    await work(items.slice(from, from + size));
    await giveWay();
  }
}

/** `items.map(change)`, giving way now and then; `size`: of how many at a time, fewer where each takes long. */
export async function mapInTurns<A, B>(
  items: readonly A[],
  change: (item: A) => B,
  size: number = ITEMS,
): Promise<B[]> {
  if (items.length <= size) return items.map((item) => change(item));
  const changed: B[] = [];
  await inSlices(items, size, (slice) => {
    for (const item of slice) changed.push(change(item));
  });
  return changed;
}

/** The work's result or, after `ms`, that of `onTooLong`, which may throw. A later failure is ignored. */
export async function withTimeout<T>(work: Promise<T>, ms: number, onTooLong: () => T): Promise<T> {
  const late = Promise.withResolvers<null>();
  const timer = setTimeout(() => late.resolve(null), ms);
  const done = work.then((value) => ({ value }));
  done.catch(() => undefined);
  try {
    const first = await Promise.race([done, late.promise]);
    return first === null ? onTooLong() : first.value;
  } finally {
    clearTimeout(timer);
  }
}
