const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** After a start a clock that is far ahead of the last one is believed once it has stood for this long. */
const PROBATION_MS = HOUR_MS;

/** The last time that was believed, milliseconds, and how long the machine has been up since (null: an earlier process believed it). */
export interface BelievedTime {
  at: number;
  elapsedMs: number | null;
}

/**
 * How far the clock is ahead of where it can be, milliseconds; null where it can be believed. The time since
 * a server was last alive explains itself where the machine says that it has passed (the process ran on, the
 * machine slept), and after a start, when the server may have been off for as long: then the clock is believed
 * once it has stood for an hour, for machines start with a wrong clock that is soon corrected. `upMs`: since the start.
 */
export function clockDoubt(now: number, believed: BelievedTime | null, upMs: number): number | null {
  if (!believed) return null;
  const aheadMs = now - believed.at - (believed.elapsedMs ?? 0);
  if (aheadMs <= DAY_MS) return null;
  return believed.elapsedMs === null && upMs >= PROBATION_MS ? null : aheadMs;
}
