/** A monitor that is told. Times are milliseconds since 1970. */
export interface Awaited {
  /** Of its newest result, or when it was resumed after that. */
  lastAt: number;
  /** Whether that result was a failure. */
  hasFailed: boolean;
  intervalMs: number;
  graceMs: number;
}

/**
 * For when a result has to be missed, at `now`: the newest time at which one should have come at last, null while it
 * is not late. After the first of them there is one each interval, the same whoever asks. `watchingSince`: since when
 * somebody has been there to be told. Unless that is as long before as the grace, a whole interval and the grace
 * must have passed since then as well.
 */
export function missedAt(awaited: Awaited, watchingSince: number, now: number): number | null {
  const { lastAt, hasFailed, intervalMs, graceMs } = awaited;
  const dueAt = lastAt + intervalMs;
  const firstAt = hasFailed ? dueAt : dueAt + graceMs;
  const wasWatched = watchingSince <= Math.max(dueAt - graceMs, lastAt);
  const lateAt = wasWatched ? firstAt : Math.max(firstAt, watchingSince + intervalMs + graceMs);
  return now < lateAt ? null : firstAt + Math.floor((now - firstAt) / intervalMs) * intervalMs;
}
