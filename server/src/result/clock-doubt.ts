const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** A clock that is far ahead is believed once it has run on undisturbed for this long. */
const PROBATION_MS = HOUR_MS;

/** The last time that was believed, milliseconds, and how long the machine has been up since (null: an earlier process believed it). */
export interface BelievedTime {
  at: number;
  elapsedMs: number | null;
}

/**
 * How far the clock is ahead of where it can be, milliseconds; null where it can be believed. The time since
 * a server was last alive explains itself where the machine says that it has passed (the process ran on, the
 * machine slept). Otherwise it is believed after an hour: machines start with a wrong clock that is soon corrected,
 * and a server may have been off for as long as the clock says. `steadyMs`: since the start, or since it was set.
 */
export function clockDoubt(now: number, believed: BelievedTime | null, steadyMs: number): number | null {
  if (!believed) return null;
  const aheadMs = now - believed.at - (believed.elapsedMs ?? 0);
  return aheadMs <= DAY_MS || steadyMs >= PROBATION_MS ? null : aheadMs;
}
