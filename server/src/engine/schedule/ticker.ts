import { CLOCK_AHEAD_LIMIT_MS } from "../../platform/clock.ts";

interface TickerOptions {
  time: TimeBase;
  /** When there is something to do next, in the time base; null for nothing. */
  nextWakeMs(): number | null;
  onTick(): void;
  /** Called about once a second, before `onTick`. */
  onSecond(): void;
}

const SECOND_MS = 1_000;

/** The one timer that drives a schedule: sleeps until the next filled slot, a second at most. */
export class Ticker {
  readonly #options: TickerOptions;
  #timer: NodeJS.Timeout | null = null;
  #isStopped = false;
  #nextSecondMs = 0;

  constructor(options: TickerOptions) {
    this.#options = options;
    this.wake();
  }

  /** To be called when something is due earlier than it was. */
  wake(): void {
    if (this.#timer) clearTimeout(this.#timer);
    if (this.#isStopped) return;
    const next = this.#options.nextWakeMs();
    const sleepMs = next === null ? SECOND_MS : next - this.#options.time.now();
    this.#timer = setTimeout(() => this.#tick(), Math.min(Math.max(Math.ceil(sleepMs), 1), SECOND_MS));
  }

  stop(): void {
    this.#isStopped = true;
    this.wake();
  }

  #tick(): void {
    const now = performance.now();
    if (now >= this.#nextSecondMs) {
      this.#nextSecondMs = now + SECOND_MS;
      this.#options.time.synchronise();
      this.#options.onSecond();
    }
    this.#options.onTick();
    this.wake();
  }
}

/** A wall clock that goes back only where it was plainly wrong. `now` is milliseconds since 1970. */
export interface TimeBase {
  now(): number;
  /** Compares with the machine's wall clock; call it about once a second. */
  synchronise(): void;
}

interface TimeBaseOptions {
  /** Milliseconds from any origin that only grow (`performance.now`). */
  monotonicMs: () => number;
  /** The machine's wall clock, milliseconds since 1970 (`Date.now`). */
  wallMs: () => number;
  /** The newest time that was used before this process; what comes now is later, unless a wrong clock made it. */
  newestMs?: number | null;
  /** Called once for each step of more than a second; positive is forward. */
  onStep?: (stepMs: number) => void;
}

const WORTH_TELLING_MS = 1_000;

/**
 * The schedule's time: the monotonic clock plus an offset to the wall clock. When the wall clock is ahead (it was stepped
 * forward, or the machine slept) the offset follows at once, and the runs in between count as missed. When it is behind (it was
 * stepped back) the offset stays until the wall clock has caught up: a scheduled time that was used is never used again, and
 * intervals keep their length. So it is across a restart: repeated times would make new results look like old ones come again.
 * Results carry the schedule's time, so for that long they are ahead of the wall clock. One that is more than two hours behind
 * shows that the schedule's time was wrong: it goes back.
 */
export function createTimeBase({ monotonicMs, wallMs, newestMs, onStep }: TimeBaseOptions): TimeBase {
  const aheadMs = (newestMs ?? 0) - wallMs();
  let offsetMs = wallMs() - monotonicMs() + (aheadMs > 0 && aheadMs <= CLOCK_AHEAD_LIMIT_MS ? aheadMs : 0);
  let isBehind = false;
  const synchronise = () => {
    const stepMs = wallMs() - monotonicMs() - offsetMs;
    const isFollowed = stepMs > 0 || stepMs < -CLOCK_AHEAD_LIMIT_MS;
    if (isFollowed) offsetMs += stepMs;
    const isReported = isFollowed
      ? Math.abs(stepMs) > WORTH_TELLING_MS
      : stepMs < -WORTH_TELLING_MS && !isBehind;
    if (isReported) onStep?.(stepMs);
    isBehind = !isFollowed && stepMs < -WORTH_TELLING_MS;
  };
  return { now: () => monotonicMs() + offsetMs, synchronise };
}
