import { CLOCK_AHEAD_LIMIT_MS } from "../clock.ts";

/** A wall clock that goes back only where it was plainly wrong. `now` is milliseconds since 1970. */
export interface TimeBase {
  now(): number;
  /** Compares with the machine's wall clock; call it about once a second. */
  synchronise(): void;
}

export interface TimeBaseOptions {
  /** Milliseconds from any origin that only grow (`performance.now`). */
  monotonicMs: () => number;
  /** The machine's wall clock, milliseconds since 1970 (`Date.now`). */
  wallMs: () => number;
  /** The newest time that was used before this process; what comes now is later, unless a wrong clock made it. */
  newestMs?: number | null;
  /** Told once about each step of more than a second; positive is forward. */
  onStep?: (stepMs: number) => void;
}

const WORTH_TELLING_MS = 1_000;

/**
 * The schedule's time: the monotonic clock plus an offset to the wall clock. When the wall clock is
 * ahead (it was stepped forward, or the machine slept) the offset follows at once, and the runs in
 * between count as missed. When it is behind (it was stepped back) the offset stays until the wall
 * clock has caught up: a scheduled time that was used is never used again, and intervals keep their
 * length. So it is across a restart: repeated times would make new results look like old ones come
 * again. Results carry the schedule's time, so for that long they are ahead of the wall clock. One that is
 * more than two hours behind shows that the schedule's time was wrong: it goes back.
 */
export function createTimeBase({ monotonicMs, wallMs, newestMs, onStep }: TimeBaseOptions): TimeBase {
  const aheadMs = (newestMs ?? 0) - wallMs();
  let offsetMs = wallMs() - monotonicMs() + (aheadMs > 0 && aheadMs <= CLOCK_AHEAD_LIMIT_MS ? aheadMs : 0);
  let isBehind = false;
  const synchronise = () => {
    const stepMs = wallMs() - monotonicMs() - offsetMs;
    const isFollowed = stepMs > 0 || stepMs < -CLOCK_AHEAD_LIMIT_MS;
    if (isFollowed) offsetMs += stepMs;
    const isTold = isFollowed ? Math.abs(stepMs) > WORTH_TELLING_MS : stepMs < -WORTH_TELLING_MS && !isBehind;
    if (isTold) onStep?.(stepMs);
    isBehind = !isFollowed && stepMs < -WORTH_TELLING_MS;
  };
  return { now: () => monotonicMs() + offsetMs, synchronise };
}
