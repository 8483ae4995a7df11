/** What a thread knows of the time in which it could do nothing: starved of CPU, or suspended. */
export interface LostTime {
  /** Milliseconds lost so far, the present stall included; only grows. */
  totalMs(): number;
  /**
   * Whether it was blocked without a break since `sinceMs` (`performance.now`) for so long that connections may
   * have died of it, or the machine slept.
   */
  brokeOffSince(sinceMs: number): boolean;
}

interface LostTimeOptions {
  /** Milliseconds from any origin that only grow; default `performance.now`. */
  monotonicMs?: () => number;
  /** The machine's wall clock; default `Date.now`. It goes on while a machine sleeps, the other one may not. */
  wallMs?: () => number;
}

const TICK_MS = 50;
/** On a busy day a timer is late by this much. */
const LATE_MS = 20;
const BREAK_MS = 2_000;

/** Measures by one timer a thread, which does not keep the thread alive. A stall is noticed to within 70 ms. */
export function measureLostTime(options: LostTimeOptions = {}): LostTime {
  const { monotonicMs = () => performance.now(), wallMs = () => Date.now() } = options;
  let lostMs = 0;
  let brokeOffMs = Number.NEGATIVE_INFINITY;
  let tickedMs = monotonicMs();
  let offsetMs = wallMs() - tickedMs;
  const late = (now: number) => {
    const ms = now - tickedMs - TICK_MS;
    return ms > LATE_MS ? ms : 0;
  };
  const isBreak = (now: number) => late(now) >= BREAK_MS || wallMs() - now - offsetMs >= BREAK_MS;
  const tick = () => {
    const now = monotonicMs();
    if (isBreak(now)) brokeOffMs = now;
    lostMs += late(now);
    tickedMs = now;
    offsetMs = wallMs() - now;
  };
  setInterval(tick, TICK_MS).unref();
  return {
    totalMs: () => lostMs + late(monotonicMs()),
    brokeOffSince: (sinceMs) => brokeOffMs >= sinceMs || isBreak(monotonicMs()),
  };
}
