import { setImmediate } from "node:timers/promises";

/** What one piece of work may take of the main thread before others get a turn; milliseconds. */
export const SLICE_MS = 4;
/** Reading the clock for every item would cost more than most items do. */
const ITEMS = 32;

/** Resolves once everybody else has had a turn of the event loop. */
export const nextTurn = (): Promise<void> => setImmediate();

/** Lets others have a turn, if it is time for it. */
export type GiveWay = () => Promise<void>;

/**
 * Lets everybody else have a turn of the event loop whenever the caller has worked for 4 ms since the last one.
 * SQLite answers within the turn it was asked in, so a long answer made of it holds up all others without this.
 */
export function takeTurns(): GiveWay {
  let begun = performance.now();
  return async () => {
    if (performance.now() - begun < SLICE_MS) return;
    await nextTurn();
    begun = performance.now();
  };
}

/** Does `work` with `size` items at a time, in their order, with turns for others in between; `giveWay`: the caller's own. */
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

/** `items.map(change)`, with turns for others between some of them. */
export async function mapInTurns<A, B>(items: readonly A[], change: (item: A) => B): Promise<B[]> {
  if (items.length <= ITEMS) return items.map((item) => change(item));
  const changed: B[] = [];
  await inSlices(items, ITEMS, (slice) => {
    for (const item of slice) changed.push(change(item));
  });
  return changed;
}
