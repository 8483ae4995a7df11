import { SLICE_MS } from "../../turns.ts";

/** Hands out turns: each asks for one and is given it, never so many at a time that the event loop stands still. */
export interface FairQueue<Who> {
  ask(who: Who): void;
  drop(who: Who): void;
}

/** `take` does a little for one of them and says whether there is more to do; then its turn comes after the others'. */
export function createFairQueue<Who>(take: (who: Who) => boolean): FairQueue<Who> {
  const waiting = new Set<Who>();
  let isAwaited = false;
  const run = (): void => {
    const until = performance.now() + SLICE_MS;
    // What is added to a set while it is iterated comes last.
    for (const who of waiting) {
      waiting.delete(who);
      if (take(who)) waiting.add(who);
      if (performance.now() >= until) break;
    }
    isAwaited = waiting.size > 0;
    if (isAwaited) setImmediate(run);
  };
  return {
    ask(who) {
      waiting.add(who);
      if (isAwaited) return;
      isAwaited = true;
      setImmediate(run);
    },
    drop: (who) => void waiting.delete(who),
  };
}
