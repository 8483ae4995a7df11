import { setImmediate } from "node:timers/promises";

/** What one piece of work may take of the main thread before others get a turn. */
const TURN_MS = 4;
/** Reading the clock for every item would cost more than most items do. */
const ITEMS = 32;

/**
 * Lets everybody else have a turn of the event loop whenever the caller has worked for 4 ms since the last one.
 * SQLite answers within the turn it was asked in, so a long answer made of it holds up all others without this.
 */
export function takeTurns(): () => Promise<void> {
  let begun = performance.now();
  return async () => {
    if (performance.now() - begun < TURN_MS) return;
    await setImmediate();
    begun = performance.now();
  };
}

/** `items.map(change)`, with turns for others between some of them. */
export async function mapInTurns<A, B>(items: readonly A[], change: (item: A) => B): Promise<B[]> {
  const breathe = takeTurns();
  const changed: B[] = [];
  for (let from = 0; from < items.length; from += ITEMS) {
    for (let n = from; n < Math.min(from + ITEMS, items.length); n += 1) changed.push(change(items[n] as A));
    await breathe();
  }
  return changed;
}
