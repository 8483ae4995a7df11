import { decideDue, missedRunMs, nextRunMs } from "./plan.ts";
import type { TimeBase } from "./time-base.ts";
import { TimingWheel, type WheelTimer } from "./wheel.ts";

/** One monitor's place in the schedule. */
interface Entry {
  monitorId: number;
  intervalMs: number;
  /** The grid run that the timer stands for. */
  dueMs: number;
  /** A missed run that is made up when the timer fires before `dueMs`. */
  catchUpMs: number | null;
  /** The last scheduled time given out; the next one is later, always. */
  lastMs: number;
  isBusy: boolean;
  timer: WheelTimer<number>;
}

export type StartCheck = (monitorId: number, scheduledMs: number) => void;

/**
 * The monitors of one worker and when each is due. Reads only the time base it is given. A monitor
 * whose last check has not been reported with `finished` is not started again: the run is skipped
 * and counted. Scheduled times of one monitor only grow.
 */
export class Scheduler {
  skipped = 0;
  readonly #time: TimeBase;
  readonly #start: StartCheck;
  readonly #entries = new Map<number, Entry>();
  readonly #wheel: TimingWheel<number>;

  constructor(time: TimeBase, start: StartCheck) {
    this.#time = time;
    this.#start = start;
    this.#wheel = new TimingWheel(time.now());
  }

  get size(): number {
    return this.#entries.size;
  }

  /**
   * Adds a monitor to the grid, or moves it to the grid of another interval. `newestMs`: the run made
   * before this process knew of the monitor; what was missed since is made up as after a stall.
   */
  set(monitorId: number, intervalMs: number, newestMs?: number): void {
    const known = this.#entries.get(monitorId);
    if (known?.intervalMs === intervalMs) return;
    const now = this.#time.now();
    const dueMs = nextRunMs(monitorId, intervalMs, Math.max(now, known?.lastMs ?? 0));
    if (known) {
      Object.assign(known, { intervalMs, dueMs, catchUpMs: null });
      this.#wheel.reinsert(known.timer, dueMs);
      return;
    }
    const missedMs = newestMs === undefined ? null : missedRunMs(monitorId, intervalMs, newestMs, now);
    const timer = this.#wheel.insert(missedMs === null ? dueMs : now, monitorId);
    const fresh = { monitorId, intervalMs, catchUpMs: null, lastMs: 0, isBusy: false, timer };
    this.#entries.set(monitorId, { ...fresh, dueMs: missedMs ?? dueMs });
  }

  remove(monitorId: number): void {
    const entry = this.#entries.get(monitorId);
    if (!entry) return;
    this.#wheel.remove(entry.timer);
    this.#entries.delete(monitorId);
  }

  /** One extra run now, beside the grid. A check that is under way serves as well: then none is added. */
  runNow(monitorId: number): void {
    const entry = this.#entries.get(monitorId);
    if (!entry || entry.isBusy) return;
    this.#begin(entry, Math.max(Math.floor(this.#time.now()), entry.lastMs + 1));
  }

  /** The check that was started for this monitor has ended. */
  finished(monitorId: number): void {
    const entry = this.#entries.get(monitorId);
    if (entry) entry.isBusy = false;
  }

  /** When `advance` has something to do next; null when no monitor is held. */
  nextWakeMs(): number | null {
    return this.#wheel.nextWakeMs();
  }

  /** Starts everything that is due by now. */
  advance(): void {
    const now = this.#time.now();
    this.#wheel.advance(now, (monitorId) => {
      const entry = this.#entries.get(monitorId);
      if (entry) this.#onDue(entry, now);
    });
  }

  #onDue(entry: Entry, now: number): void {
    const { catchUpMs } = entry;
    if (catchUpMs !== null && now < entry.dueMs) {
      entry.catchUpMs = null;
      this.#wheel.reinsert(entry.timer, entry.dueMs);
      this.#attempt(entry, catchUpMs);
      return;
    }
    if (catchUpMs !== null) this.skipped += 1;
    const decision = decideDue(entry.monitorId, entry.intervalMs, entry.dueMs, now);
    this.skipped += decision.skipped;
    entry.dueMs = decision.nextMs;
    const isLater = decision.scheduledMs !== null && decision.startMs > now;
    entry.catchUpMs = isLater ? decision.scheduledMs : null;
    this.#wheel.reinsert(entry.timer, isLater ? decision.startMs : decision.nextMs);
    if (!isLater && decision.scheduledMs !== null) this.#attempt(entry, decision.scheduledMs);
  }

  #attempt(entry: Entry, scheduledMs: number): void {
    if (entry.isBusy || scheduledMs <= entry.lastMs) this.skipped += 1;
    else this.#begin(entry, scheduledMs);
  }

  #begin(entry: Entry, scheduledMs: number): void {
    entry.isBusy = true;
    entry.lastMs = scheduledMs;
    this.#start(entry.monitorId, scheduledMs);
  }
}
