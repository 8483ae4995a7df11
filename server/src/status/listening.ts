/** A sweep is due every second: when none got through for this long, nor did results. */
const BREAK_MS = 5_000;

/**
 * Since when results could have come in without a break. What was silent while nobody could be heard
 * (the machine slept, the store was away or refused) says nothing about a monitor, so it is not told
 * as "monitoring stopped" before it had its full time again. Times are milliseconds since 1970.
 */
export interface Listening {
  /** Since when, for a sweep at `now`. */
  since(now: number): number;
  /** A sweep got through. */
  heard(now: number): void;
  /** Results were refused. */
  interrupted(now: number): void;
}

export function startListening(startedAt: number): Listening {
  let since = startedAt;
  let heardAt = startedAt;
  return {
    since(now) {
      // A clock that was set back by more is no measure of anything before.
      if (Math.abs(now - heardAt) > BREAK_MS) since = now;
      return since;
    },
    heard(now) {
      heardAt = now;
    },
    interrupted(now) {
      since = now;
    },
  };
}
