const TICK_MS = 10;
/** Slots a level: 512 ticks (5.12 s), then 512 of those (44 min), 15.5 days, 21 years. */
const SLOTS = 512;
const LEVELS = 4;
const WORDS = SLOTS / 32;
const SPANS = Array.from({ length: LEVELS + 1 }, (_, level) => SLOTS ** level);

/** One entry of the wheel; its fields belong to the wheel. */
export interface WheelTimer<T> {
  readonly value: T;
  tick: number;
  /** Index into the slots of all levels; -1 while in none. */
  slot: number;
  previous: WheelTimer<T> | null;
  next: WheelTimer<T> | null;
}

/**
 * A hierarchical timing wheel: insert and remove in O(1) whatever the number of timers, and a search
 * for the next non-empty slot that reads a few words of a bitmap. It reads no clock: `advance` is
 * told the time. A timer never fires early, and at most one slot (10 ms) late by the wheel's doing.
 */
export class TimingWheel<T> {
  size = 0;
  /** Ticks are counted from the wheel's making, so that their numbers stay small. */
  readonly #originMs: number;
  #currentTick = 0;
  readonly #slots: (WheelTimer<T> | null)[] = Array.from({ length: LEVELS * SLOTS }, () => null);
  readonly #filled = new Uint32Array(LEVELS * WORDS);

  constructor(nowMs: number) {
    this.#originMs = nowMs;
  }

  /** Fires `value` once the wheel is advanced to `dueMs` or beyond. */
  insert(dueMs: number, value: T): WheelTimer<T> {
    const timer: WheelTimer<T> = { value, tick: 0, slot: -1, previous: null, next: null };
    this.reinsert(timer, dueMs);
    return timer;
  }

  /** The same timer again at another time; it may be waiting or have fired. */
  reinsert(timer: WheelTimer<T>, dueMs: number): void {
    this.remove(timer);
    const tick = Math.ceil((dueMs - this.#originMs) / TICK_MS);
    const last = SPANS[LEVELS] as number;
    timer.tick = Math.min(Math.max(tick, this.#currentTick + 1), last - 1);
    this.#place(timer);
    this.size += 1;
  }

  /** Takes a timer out; nothing happens when it has fired or was removed. */
  remove(timer: WheelTimer<T>): void {
    if (timer.slot < 0) return;
    this.#unlink(timer);
    this.size -= 1;
  }

  /** When the wheel should be advanced next, in the milliseconds of `advance`; null when it is empty. */
  nextWakeMs(): number | null {
    const tick = this.#nextTick();
    return tick === null ? null : this.#originMs + tick * TICK_MS;
  }

  /** Moves to `nowMs` and fires, in order of their slots, the timers that are due. Time never goes back. */
  advance(nowMs: number, fire: (value: T) => void): void {
    const target = Math.floor((nowMs - this.#originMs) / TICK_MS);
    for (;;) {
      const tick = this.#nextTick();
      if (tick === null || tick > target) break;
      this.#currentTick = tick;
      for (let level = LEVELS - 1; level > 0; level -= 1) this.#cascade(level, tick);
      this.#fireSlot(tick % SLOTS, fire);
    }
    this.#currentTick = Math.max(this.#currentTick, target);
  }

  #fireSlot(slot: number, fire: (value: T) => void): void {
    for (let timer = this.#slots[slot]; timer; timer = this.#slots[slot]) {
      this.#unlink(timer);
      this.size -= 1;
      fire(timer.value);
    }
  }

  /** Spreads the slot of a higher level that begins at `tick` over the levels below. */
  #cascade(level: number, tick: number): void {
    const span = SPANS[level] as number;
    if (tick % span !== 0) return;
    const slot = level * SLOTS + (Math.floor(tick / span) % SLOTS);
    for (let timer = this.#slots[slot]; timer; timer = this.#slots[slot]) {
      this.#unlink(timer);
      this.#place(timer);
    }
  }

  /** The lowest level on which the timer shares the current turn, so a slot holds one turn only. */
  #place(timer: WheelTimer<T>): void {
    let level = 0;
    while (level < LEVELS - 1 && !this.#sameTurn(timer.tick, level)) level += 1;
    const slot = level * SLOTS + (Math.floor(timer.tick / (SPANS[level] as number)) % SLOTS);
    const head = this.#slots[slot] ?? null;
    timer.slot = slot;
    timer.previous = null;
    timer.next = head;
    if (head) head.previous = timer;
    this.#slots[slot] = timer;
    this.#filled[slot >> 5] = (this.#filled[slot >> 5] as number) | (1 << (slot & 31));
  }

  #sameTurn(tick: number, level: number): boolean {
    const span = SPANS[level + 1] as number;
    return Math.floor(tick / span) === Math.floor(this.#currentTick / span);
  }

  #unlink(timer: WheelTimer<T>): void {
    const { slot, previous, next } = timer;
    if (previous) previous.next = next;
    else this.#slots[slot] = next;
    if (next) next.previous = previous;
    if (!previous && !next) {
      this.#filled[slot >> 5] = (this.#filled[slot >> 5] as number) & ~(1 << (slot & 31));
    }
    timer.slot = -1;
    timer.previous = null;
    timer.next = null;
  }

  /** The next tick at which a slot is due to fire (level 0) or to be spread (above). */
  #nextTick(): number | null {
    for (let level = 0; level < LEVELS; level += 1) {
      const span = SPANS[level] as number;
      const position = Math.floor(this.#currentTick / span);
      const found = this.#nextFilled(level, (position % SLOTS) + (level === 0 ? 0 : 1));
      if (found >= 0) return (position - (position % SLOTS) + found) * span;
    }
    return null;
  }

  /** Index of the first filled slot of a level at or after `from`, or -1. */
  #nextFilled(level: number, from: number): number {
    for (let index = from >> 5; index < WORDS; index += 1) {
      let word = this.#filled[level * WORDS + index] as number;
      if (index === from >> 5) word = (word & (-1 << (from & 31))) >>> 0;
      if (word !== 0) return index * 32 + (31 - Math.clz32(word & -word));
    }
    return -1;
  }
}
