/** Time as the program sees it. Rules never read it: they get `now` as an argument. */
export interface Clock {
  /** Wall clock, milliseconds since 1970 UTC. */
  now(): number;
  /** Resolves after so many milliseconds; absent: by a timer. Tests need not wait. */
  wait?(ms: number): Promise<void>;
}

/** The machine's own clock. */
export const systemClock: Clock = { now: () => Date.now() };

/** What is further ahead of the clock than this was written by one that was wrong, and is not waited for. */
export const CLOCK_AHEAD_LIMIT_MS = 2 * 3_600_000;

/** A clock that says less has not been set: machines start with 1970, or the year they were made in. */
const FIRST_PLAUSIBLE_MS = Date.UTC(2026, 0);

/** Whether a time (milliseconds) lies so far ahead of `now` that it must be the work of a wrong clock, and not `now`. */
export const isFromWrongClock = (time: number, now: number): boolean =>
  time > now + CLOCK_AHEAD_LIMIT_MS && now >= FIRST_PLAUSIBLE_MS;
