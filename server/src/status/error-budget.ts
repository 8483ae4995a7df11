import { type StatusChange, timeByStatus } from "./uptime.ts";

const DAY_MS = 86_400_000;

/** How much of the time a monitor should be up. */
export interface Objective {
  /** Of the time that counts, 0…99.999; 0: it has none. */
  percent: number;
  /** Of how many days that is, back from now. */
  days: number;
}

/** What an objective allows to be down, and what is left of it. Milliseconds. */
export interface ErrorBudget {
  /** Of all the days, without maintenance and what is unknown. */
  allowedMs: number;
  /** Confirmed downtime that counts. */
  usedMs: number;
  /** Less than nothing where more was used than is allowed. */
  leftMs: number;
  /** The same of what is allowed, percent; null where nothing counts, so that nothing is allowed. */
  leftPercent: number | null;
  /** Up and down: what the uptime is of. */
  knownMs: number;
  /** Time-weighted over the days, 0…100; null where nothing is known. */
  uptime: number | null;
}

/** When the days of an objective began, milliseconds. */
export const objectiveStart = ({ days }: Pick<Objective, "days">, now: number): number => now - days * DAY_MS;

/**
 * The budget at `now` (milliseconds). `history` as `timeByStatus` takes it, from the start of the days on. Maintenance and
 * what is unknown is neither allowed nor used; what came before a monitor was watched counts as up: of a new one all of the
 * budget is left, as it is of one that was never down.
 */
export function errorBudget(
  history: readonly StatusChange[],
  objective: Objective,
  now: number,
): ErrorBudget {
  const from = objectiveStart(objective, now);
  const { upMs, downMs, excludedMs } = timeByStatus(history, from, now);
  const untilWatchedMs = Math.min(Math.max((history[0]?.at ?? now) - from, 0), now - from);
  const countedMs = now - from - (excludedMs - untilWatchedMs);
  const allowedMs = countedMs * badShare(objective);
  const leftMs = allowedMs - downMs;
  const knownMs = upMs + downMs;
  return {
    ...{ allowedMs, usedMs: downMs, leftMs, knownMs },
    leftPercent: allowedMs > 0 ? (100 * leftMs) / allowedMs : null,
    uptime: knownMs > 0 ? (100 * upMs) / knownMs : null,
  };
}

/**
 * How fast the last `spanMs` went through the budget: at 1 it is used up exactly when its days are over, at 10 ten times
 * sooner. Of time alone: what was unknown or maintenance used nothing.
 */
export function burnRate(
  history: readonly StatusChange[],
  objective: Objective,
  { now, spanMs }: { now: number; spanMs: number },
): number {
  const { downMs } = timeByStatus(history, now - spanMs, now);
  return burnOf(downMs, objective, spanMs);
}

/** The same of a span that is known to have been down for `downMs`. */
export const burnOf = (downMs: number, objective: Objective, spanMs: number): number =>
  downMs / spanMs / badShare(objective);

/** How much of the time may be down, 0…1. */
const badShare = ({ percent }: Objective): number => (100 - percent) / 100;
