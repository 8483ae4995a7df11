import { CLOCK_AHEAD_LIMIT_MS } from "../../platform/clock.ts";

/**
 * When a monitor is checked, as pure functions. Every monitor has a grid of its own on the wall
 * clock: run n is at `phase + n × interval` since 1970. So there is no drift, the times are the same
 * after a restart and on every replica, and a repeated run is recognised by its scheduled time.
 */

/** Fraction of the golden ratio: multiples of it fill an interval evenly, however many there are. */
const GOLDEN = 0.618_033_988_749_894_8;
/** A run that is this late is still worth making for its own sake. */
const LATE_LIMIT_MS = 5_000;
/** A missed run is made up only where the next one is further away than this, and within this time. */
const CATCH_UP_MS = 60_000;

/** The monitor's offset within its interval, whole milliseconds in [0, intervalMs). */
export function phaseMs(monitorId: number, intervalMs: number): number {
  const turns = monitorId * GOLDEN;
  return Math.floor((turns - Math.floor(turns)) * intervalMs);
}

/** The first run strictly after `afterMs`. All times are milliseconds since 1970. */
export function nextRunMs(monitorId: number, intervalMs: number, afterMs: number): number {
  const phase = phaseMs(monitorId, intervalMs);
  return phase + (Math.floor((afterMs - phase) / intervalMs) + 1) * intervalMs;
}

/** Whether that is the time of a run. */
export const isOnGrid = (monitorId: number, intervalMs: number, atMs: number): boolean =>
  nextRunMs(monitorId, intervalMs, atMs - 1) === atMs;

/**
 * When to make up for the grid's latest run, which no process made (the newest verdict is that of `newestMs`)
 * though the next one is too far away to wait for; else null. Spread over a minute, unless it is hardly late.
 * It is no run of the grid: that one's time may be taken by a result which said nothing.
 */
export function makeUpMs(
  monitorId: number,
  intervalMs: number,
  newestMs: number,
  nowMs: number,
): number | null {
  const nextMs = nextRunMs(monitorId, intervalMs, nowMs);
  const missedMs = nextMs - intervalMs;
  if (newestMs >= missedMs || nextMs - nowMs <= CATCH_UP_MS) return null;
  return nowMs - missedMs <= LATE_LIMIT_MS ? nowMs : nowMs + phaseMs(monitorId, CATCH_UP_MS);
}

/** The first check after one that failed for the probe's own reasons; each further one doubles it. */
const FAULT_RETRY_MS = 30_000;

/**
 * How long after the `faults`-th check in a row that said nothing (the probe's own fault) the monitor is
 * tried again, milliseconds; null: its next run is as soon. It grows with the outage and is spread, so that
 * ten thousand monitors behind a cut line are at most twice the usual work, and one that is checked once a day
 * waits about as long as the outage lasted, not a day.
 */
export function faultRetryMs(monitorId: number, intervalMs: number, faults: number): number | null {
  const waitMs = FAULT_RETRY_MS * 2 ** Math.min(faults - 1, 20);
  const spreadMs = waitMs + phaseMs(monitorId, waitMs / 2);
  return spreadMs < intervalMs ? spreadMs : null;
}

/** What to do about a run that is due. */
export interface DueDecision {
  /** The scheduled time of the one run to make, or null when all that were missed are skipped. */
  scheduledMs: number | null;
  /** When to make it: now, or a little later so that a stall is not followed by a pile-up. */
  startMs: number;
  /** The run after it, on the grid again and in the future. */
  nextMs: number;
  /** Runs that are left out. */
  skipped: number;
}

/**
 * Decides about the run that was due at `dueMs` when the clock says `nowMs`. Of the runs missed in a
 * stall at most the latest is made: at once when it is hardly late, spread over a minute when the
 * next one is far away (a daily check must not be lost to a suspended machine), else not at all.
 */
export function decideDue(monitorId: number, intervalMs: number, dueMs: number, nowMs: number): DueDecision {
  const missed = Math.max(0, Math.floor((nowMs - dueMs) / intervalMs));
  const scheduledMs = dueMs + missed * intervalMs;
  const nextMs = scheduledMs + intervalMs;
  const decision: DueDecision = { scheduledMs, startMs: nowMs, nextMs, skipped: missed };
  if (nowMs - scheduledMs <= Math.min(LATE_LIMIT_MS, intervalMs / 2)) return decision;
  if (nextMs - nowMs > CATCH_UP_MS) {
    return { ...decision, startMs: nowMs + phaseMs(monitorId, CATCH_UP_MS) };
  }
  return { ...decision, scheduledMs: null, skipped: missed + 1 };
}

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
