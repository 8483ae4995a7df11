import { decideDue, makeUpMs, nextRunMs, type TimeBase } from "./plan.ts";

/** Wake-ups of one moment come together: no wake-up comes sooner than this after another. */
const SLOT_MS = 10;

/** One entry of the queue; its fields but `value` belong to the queue. */
interface DueTimer<T> {
  readonly value: T;
  dueMs: number;
  /** Its place in the heap, or one of the two below. */
  place: number;
}

const NOT_WAITING = -1;
/** Taken out of the heap to be fired in a moment. */
const FIRING = -2;

/**
 * Timers in the order in which they are due (a binary heap). It reads no clock: `advance` receives the time. A timer
 * never fires early; a caller that wakes at `nextWakeMs` fires it at most 10 ms late.
 */
export class DueQueue<T> {
  readonly #heap: DueTimer<T>[] = [];

  get size(): number {
    return this.#heap.length;
  }

  /** Fires `value` once the queue is advanced to `dueMs` or beyond. */
  insert(dueMs: number, value: T): DueTimer<T> {
    const timer: DueTimer<T> = { value, dueMs, place: NOT_WAITING };
    this.reinsert(timer, dueMs);
    return timer;
  }

  /** The same timer again at another time; it may be waiting or have fired. */
  reinsert(timer: DueTimer<T>, dueMs: number): void {
    this.remove(timer);
    timer.dueMs = dueMs;
    this.#rise(timer, this.#heap.length);
  }

  /** Takes a timer out; nothing happens when it has fired or was removed. */
  remove(timer: DueTimer<T>): void {
    const { place } = timer;
    timer.place = NOT_WAITING;
    if (place < 0) return;
    const last = this.#heap.pop();
    if (last === undefined || last === timer) return;
    const parent = this.#heap[(place - 1) >> 1];
    if (place > 0 && parent !== undefined && parent.dueMs > last.dueMs) this.#rise(last, place);
    else this.#sink(last, place);
  }

  /** When the queue should be advanced next, in the milliseconds of `advance`; null when it is empty. */
  nextWakeMs(): number | null {
    const [first] = this.#heap;
    return first === undefined ? null : Math.ceil(first.dueMs / SLOT_MS) * SLOT_MS;
  }

  /** Fires the timers that are due at `nowMs`, earliest first. What is put back meanwhile waits for the next call. */
  advance(nowMs: number, fire: (value: T) => void): void {
    const due: DueTimer<T>[] = [];
    for (let [first] = this.#heap; first !== undefined && first.dueMs <= nowMs; [first] = this.#heap) {
      this.remove(first);
      first.place = FIRING;
      due.push(first);
    }
    for (const timer of due) {
      if (timer.place !== FIRING) continue;
      timer.place = NOT_WAITING;
      fire(timer.value);
    }
  }

  #rise(timer: DueTimer<T>, from: number): void {
    let place = from;
    while (place > 0) {
      const above = (place - 1) >> 1;
      const parent = this.#heap[above] as DueTimer<T>;
      if (parent.dueMs <= timer.dueMs) break;
      this.#put(parent, place);
      place = above;
    }
    this.#put(timer, place);
  }

  #sink(timer: DueTimer<T>, from: number): void {
    let place = from;
    for (let below = 2 * place + 1; below < this.#heap.length; below = 2 * place + 1) {
      const [left, right] = [this.#heap[below] as DueTimer<T>, this.#heap[below + 1]];
      const child = right !== undefined && right.dueMs < left.dueMs ? right : left;
      if (child.dueMs >= timer.dueMs) break;
      const freed = child.place;
      this.#put(child, place);
      place = freed;
    }
    this.#put(timer, place);
  }

  #put(timer: DueTimer<T>, place: number): void {
    this.#heap[place] = timer;
    timer.place = place;
  }
}

/** One monitor's place in the schedule. */
interface Entry {
  monitorId: number;
  intervalMs: number;
  /** The grid run of the timer. */
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
  /** A run beside the grid that was requested and whose time has not come. */
  extra: DueTimer<number> | null;
  extraMs: number;
}

/** `isExtra`: beside the grid, and a caller waits for it. */
type StartCheck = (monitorId: number, scheduledMs: number, isExtra: boolean) => void;

/** What is known of a monitor that comes to the schedule. */
interface FormerRuns {
  /** The newest run that was made. */
  newestMs: number;
  /** Whether one that was missed since is made up, as after a stall. */
  makeUp: boolean;
}

/**
 * The monitors of one worker and when each is due. Reads only the time base it is given. A monitor whose last check has not been
 * reported with `finished` is not started again: the run is skipped and counted. Scheduled times of one monitor only grow.
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

  /** Of several requested, the earliest is made. */
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
