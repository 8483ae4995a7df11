import { DueQueue, type DueTimer } from "./due-queue.ts";
import { decideDue, makeUpMs, nextRunMs } from "./plan.ts";
import type { TimeBase } from "./time-base.ts";

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
  timer: DueTimer<number>;
  /** When its last check ended. */
  endedMs: number;
  /** No run begins earlier: what the last check found is to be confirmed, and not within the same moment. */
  notBeforeMs: number;
  /** A run beside the grid that was asked for and whose time has not come. */
  extra: DueTimer<number> | null;
  extraMs: number;
}

/** `isExtra`: beside the grid, somebody waits for it. */
export type StartCheck = (monitorId: number, scheduledMs: number, isExtra: boolean) => void;

/** What is known of a monitor that comes to the schedule. */
export interface FormerRuns {
  /** The newest run that somebody made. */
  newestMs: number;
  /** Whether one that was missed since is made up, as after a stall. */
  makeUp: boolean;
}

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
  readonly #grid = new DueQueue<number>();
  readonly #extras = new DueQueue<number>();
  #reachedMs: number;

  constructor(time: TimeBase, start: StartCheck) {
    this.#time = time;
    this.#start = start;
    this.#reachedMs = time.now();
  }

  get size(): number {
    return this.#entries.size;
  }

  /**
   * Adds a monitor to the grid, or moves it to the grid of another interval. `former`: the runs that others
   * made before this schedule knew of the monitor.
   */
  set(monitorId: number, intervalMs: number, former?: FormerRuns): void {
    const known = this.#entries.get(monitorId);
    if (known?.intervalMs === intervalMs) return;
    const now = this.#time.now();
    if (known) {
      const dueMs = nextRunMs(monitorId, intervalMs, Math.max(now, known.lastMs));
      Object.assign(known, { intervalMs, dueMs, catchUpMs: null });
      this.#grid.reinsert(known.timer, dueMs);
      return;
    }
    const { newestMs = 0, makeUp = false } = former ?? {};
    // A clock somewhat ahead of this one made the run: a time before it would pass for an old result.
    const lastMs = newestMs <= now + intervalMs ? newestMs : 0;
    const dueMs = nextRunMs(monitorId, intervalMs, Math.max(now, lastMs));
    const timer = this.#grid.insert(dueMs, monitorId);
    const times = { dueMs, catchUpMs: null, lastMs, endedMs: Math.min(lastMs, now), notBeforeMs: 0 };
    const fresh: Entry = { monitorId, intervalMs, ...times, isBusy: false, timer, extra: null, extraMs: 0 };
    this.#entries.set(monitorId, fresh);
    const catchUpMs = makeUp ? makeUpMs(monitorId, intervalMs, newestMs, now) : null;
    if (catchUpMs !== null) this.#planExtra(fresh, catchUpMs);
  }

  remove(monitorId: number): void {
    const entry = this.#entries.get(monitorId);
    if (!entry) return;
    this.#grid.remove(entry.timer);
    if (entry.extra) this.#extras.remove(entry.extra);
    this.#entries.delete(monitorId);
  }

  /** One extra run now, beside the grid. A check that is under way serves as well: then none is added. */
  runNow(monitorId: number): void {
    const entry = this.#entries.get(monitorId);
    if (entry && !entry.isBusy) this.#beginExtra(entry);
  }

  /**
   * One extra run once `delayMs` have passed since the last check ended: now, where they have. Any run
   * that comes in between serves as well, and so does a check that is under way.
   */
  runAfter(monitorId: number, delayMs: number): void {
    const entry = this.#entries.get(monitorId);
    if (!entry || entry.isBusy) return;
    const dueMs = entry.endedMs + delayMs;
    if (dueMs <= this.#time.now()) this.#beginExtra(entry);
    else this.#planExtra(entry, dueMs);
  }

  /** The check that was started for this monitor has ended; no other one begins for `quietMs`. */
  finished(monitorId: number, quietMs = 0): void {
    const entry = this.#entries.get(monitorId);
    if (!entry) return;
    entry.isBusy = false;
    entry.endedMs = this.#time.now();
    entry.notBeforeMs = entry.endedMs + quietMs;
  }

  /** When `advance` has something to do next; null when no monitor is held. */
  nextWakeMs(): number | null {
    const [grid, extra] = [this.#grid.nextWakeMs(), this.#extras.nextWakeMs()];
    return grid === null || extra === null ? (grid ?? extra) : Math.min(grid, extra);
  }

  /** Starts everything that is due by now. */
  advance(): void {
    const now = this.#time.now();
    if (now < this.#reachedMs) this.#goBack(now);
    this.#reachedMs = now;
    this.#extras.advance(now, (monitorId) => {
      const entry = this.#entries.get(monitorId);
      if (entry) this.#beginExtra(entry);
    });
    this.#grid.advance(now, (monitorId) => {
      const entry = this.#entries.get(monitorId);
      if (entry) this.#onDue(entry, now);
    });
  }

  /** The time went back, because it was wrong: everybody is on the grid again as of now. */
  #goBack(now: number): void {
    for (const entry of this.#entries.values()) {
      const { monitorId, intervalMs, extra } = entry;
      const dueMs = nextRunMs(monitorId, intervalMs, now);
      this.#grid.reinsert(entry.timer, dueMs);
      if (extra) this.#extras.remove(extra);
      const ended = { lastMs: 0, endedMs: Math.min(entry.endedMs, now), notBeforeMs: 0 };
      Object.assign(entry, { dueMs, catchUpMs: null, extra: null, ...ended });
      if (extra) this.#planExtra(entry, now);
    }
  }

  #onDue(entry: Entry, now: number): void {
    const { catchUpMs } = entry;
    if (catchUpMs !== null && now < entry.dueMs) {
      entry.catchUpMs = null;
      this.#grid.reinsert(entry.timer, entry.dueMs);
      this.#attempt(entry, catchUpMs);
      return;
    }
    if (catchUpMs !== null) this.skipped += 1;
    const decision = decideDue(entry.monitorId, entry.intervalMs, entry.dueMs, now);
    this.skipped += decision.skipped;
    entry.dueMs = decision.nextMs;
    const isLater = decision.scheduledMs !== null && decision.startMs > now;
    entry.catchUpMs = isLater ? decision.scheduledMs : null;
    this.#grid.reinsert(entry.timer, isLater ? decision.startMs : decision.nextMs);
    if (!isLater && decision.scheduledMs !== null) this.#attempt(entry, decision.scheduledMs);
  }

  #attempt(entry: Entry, scheduledMs: number): void {
    if (entry.isBusy || scheduledMs <= entry.lastMs) this.skipped += 1;
    else if (this.#time.now() < entry.notBeforeMs) this.#planExtra(entry, entry.notBeforeMs);
    else this.#begin(entry, scheduledMs, false);
  }

  #beginExtra(entry: Entry): void {
    if (!entry.isBusy) this.#begin(entry, Math.max(Math.floor(this.#time.now()), entry.lastMs + 1), true);
  }

  /** Of several that were asked for the earliest is made. */
  #planExtra(entry: Entry, dueMs: number): void {
    if (!entry.extra) entry.extra = this.#extras.insert(dueMs, entry.monitorId);
    else if (dueMs < entry.extraMs) this.#extras.reinsert(entry.extra, dueMs);
    else return;
    entry.extraMs = dueMs;
  }

  #begin(entry: Entry, scheduledMs: number, isExtra: boolean): void {
    if (entry.extra) this.#extras.remove(entry.extra);
    entry.extra = null;
    entry.isBusy = true;
    entry.lastMs = scheduledMs;
    this.#start(entry.monitorId, scheduledMs, isExtra);
  }
}
