/** Wake-ups of one moment come together: nobody is woken more often than this. */
const SLOT_MS = 10;

/** One entry of the queue; its fields but `value` belong to the queue. */
export interface DueTimer<T> {
  readonly value: T;
  dueMs: number;
  /** Its place in the heap, or one of the two below. */
  place: number;
}

const NOT_WAITING = -1;
/** Taken out of the heap to be fired in a moment. */
const FIRING = -2;

/**
 * Timers in the order in which they are due (a binary heap). It reads no clock: `advance` is told the time. A timer
 * never fires early; whoever wakes at `nextWakeMs` fires it at most 10 ms late.
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
