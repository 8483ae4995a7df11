import type { Db } from "../../platform/database/db.ts";
import { readMeta, writeMeta } from "../../platform/database/installation.ts";
import type { Break } from "./late-signals.ts";

/** A sweep is due every second: when none got through for this long, nor did results. */
const BREAK_MS = 5_000;
/** What the next process is to know. After a crash its break is too long by this at most. */
const META_KEY = "listening";
const KEEP_MS = 60_000;
/** More than a heartbeat can be waited for: three days, and the breaks in between. */
const MOST_AGE_MS = 14 * 86_400_000;
const MOST_BREAKS = 200;

/**
 * When results could not come in: the server was stopped, the machine slept, the store was away. What was silent then
 * says nothing about a monitor, so it is given time for it. Times are milliseconds since 1970.
 */
export interface Listening {
  /** Since when there has been no break, for a sweep at `now`. */
  since(now: number): number;
  /** The breaks of this process and of those before it, oldest first, for a sweep at `now`. */
  breaks(now: number): readonly Break[];
  /** A sweep got through. Keeps that for the next process; throws the store's error. */
  markActive(now: number): Promise<void>;
  /** The store was away when there were results. */
  interrupted(now: number): void;
}

/** Throws the store's error. */
export async function startListening(db: Db, startedAt: number): Promise<Listening> {
  const stored = await readMeta(db, META_KEY);
  const known: { activeAt: number; breaks: Break[] } = stored
    ? JSON.parse(stored)
    : { activeAt: 0, breaks: [] };
  let breaks = withBreak(known.breaks, { from: known.activeAt, to: startedAt });
  let since = startedAt;
  let activeAt = startedAt;
  let savedAt = Number.NEGATIVE_INFINITY;
  const note = (now: number) => {
    breaks = withBreak(breaks, { from: activeAt, to: now });
    since = activeAt = now;
    savedAt = Number.NEGATIVE_INFINITY;
  };
  const look = (now: number) => {
    // A clock that was set back by more is no measure of anything before.
    if (Math.abs(now - activeAt) > BREAK_MS) note(now);
  };
  return {
    since(now) {
      look(now);
      return since;
    },
    breaks(now) {
      look(now);
      return breaks;
    },
    async markActive(now) {
      // The sweep itself may have been what the break was in.
      look(now);
      activeAt = now;
      if (Math.abs(now - savedAt) < KEEP_MS) return;
      await writeMeta(db, META_KEY, JSON.stringify({ activeAt, breaks }));
      savedAt = now;
    },
    interrupted: note,
  };
}

/** With one more at their end: those that follow each other closely are one. Of a clock that was set back the rest goes. */
export function withBreak(breaks: readonly Break[], { from, to }: Break): Break[] {
  const begunAt = Math.min(from, to);
  const all = breaks.filter((each) => each.from < begunAt && each.to > to - MOST_AGE_MS);
  const last = all.at(-1);
  if (last && last.to + BREAK_MS >= begunAt) all[all.length - 1] = { from: last.from, to };
  else all.push({ from: begunAt, to });
  return all.length > MOST_BREAKS ? withoutShortestGap(all) : all;
}

/** Makes one of the two breaks that are nearest to each other. */
function withoutShortestGap(breaks: readonly Break[]): Break[] {
  const gaps = breaks.slice(1).map(({ from }, index) => from - (breaks[index]?.to ?? 0));
  const at = gaps.indexOf(Math.min(...gaps));
  return breaks.flatMap(({ from, to }, index) => {
    if (index === at + 1) return [];
    return [index === at ? { from, to: breaks[at + 1]?.to ?? to } : { from, to }];
  });
}
