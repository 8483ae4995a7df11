import type { Logger } from "../../platform/context.ts";
import { outsideRequests } from "../../platform/worker-pool.ts";

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

export interface Repeated {
  /** The next turn begins now, or once the running one has ended. */
  soon(): void;
  /** No further turn begins; resolves when the running one has ended. */
  stop(): Promise<void>;
}

interface RepeatOptions {
  /** What the work is, as it reads in "<name> failed". */
  name: string;
  everyMs: number;
  /** Before the first turn; default `everyMs`. */
  firstMs?: number;
  log: Logger;
  work: () => Promise<unknown>;
}

/**
 * Does `work` again and again, never two turns at once: the pause is counted from the end of a turn.
 * A failure is logged when it begins and when it is over, not at every turn.
 */
export function repeat({ name, everyMs, firstMs = everyMs, log, work }: RepeatOptions): Repeated {
  let stopped = false;
  let isFailing = false;
  let isRunning = false;
  let isWanted = false;
  let running = Promise.resolve();
  const turn = async () => {
    isRunning = true;
    isWanted = false;
    try {
      await work();
      if (isFailing) log.info({}, `${name} works again`);
      isFailing = false;
    } catch (error) {
      if (!isFailing) log.error({ err: error }, `${name} failed; it is tried again every ${everyMs} ms`);
      isFailing = true;
    }
    isRunning = false;
    if (!stopped) timer = setTimeout(begin, isWanted ? 0 : everyMs);
  };
  const begin = () => {
    running = outsideRequests(turn);
  };
  let timer = setTimeout(begin, firstMs);
  return {
    soon() {
      if (stopped || isWanted) return;
      isWanted = true;
      if (isRunning) return;
      clearTimeout(timer);
      timer = setTimeout(begin, 0);
    },
    async stop() {
      stopped = true;
      clearTimeout(timer);
      await running;
    },
  };
}
