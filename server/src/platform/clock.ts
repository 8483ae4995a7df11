/** Time as the program sees it. Rules never read it: they get `now` as an argument. */
export interface Clock {
  /** Wall clock, milliseconds since 1970 UTC. */
  now(): number;
  /** Resolves after this many milliseconds; absent: by a timer. For tests. */
  wait?(ms: number): Promise<void>;
}

export const systemClock: Clock = { now: () => Date.now() };

/** A time further ahead of the clock than this was written by a wrong clock, and is not waited for. */
export const CLOCK_AHEAD_LIMIT_MS = 2 * 3_600_000;

/** Clocks of two servers are not further apart than this. */
export const MAX_CLOCK_DIFFERENCE_MS = 60_000;

/** A clock that shows an earlier time has not been set: machines start in 1970, or the year they were built. */
const FIRST_PLAUSIBLE_MS = Date.UTC(2026, 0);

/** Whether a time (milliseconds) is so far ahead of `now` that it must come from a wrong clock. */
export const isFromWrongClock = (time: number, now: number): boolean =>
  time > now + CLOCK_AHEAD_LIMIT_MS && now >= FIRST_PLAUSIBLE_MS;

/** Whether what has happened already, at that time (milliseconds), was dated by a clock that was ahead. */
export const isDatedAhead = (time: number, now: number): boolean =>
  time > now + MAX_CLOCK_DIFFERENCE_MS && now >= FIRST_PLAUSIBLE_MS;

/** Milliseconds by Retry-After (RFC 9110, 10.2.3): seconds, maybe with a fraction, or a date. Null: none. */
export function retryAfterMs(header: string | null | undefined, now: number): number | null {
  const said = header?.trim() ?? "";
  if (said === "") return null;
  const seconds = Number(said);
  if (Number.isFinite(seconds)) return seconds >= 0 ? Math.ceil(seconds * 1000) : null;
  const at = Date.parse(said);
  return Number.isNaN(at) ? null : Math.max(0, at - now);
}
