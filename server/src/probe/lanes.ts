/**
 * How many checks run at once, and who is next when all places are taken: first come, first served,
 * but checks of targets that were slow last time share three quarters of the places. So a thousand
 * hanging targets cannot hold up the others.
 */
export class Lanes<T> {
  running = 0;
  readonly #limit: number;
  readonly #slowLimit: number;
  readonly #start: (item: T, isSlow: boolean) => void;
  readonly #waiting = { quick: [] as T[], slow: [] as T[] };
  #slowRunning = 0;
  #isSlowTurn = false;

  constructor(limit: number, start: (item: T, isSlow: boolean) => void) {
    this.#limit = limit;
    this.#slowLimit = Math.max(1, Math.floor((limit * 3) / 4));
    this.#start = start;
  }

  /** Starts the item, now or when a place is free. */
  enter(item: T, isSlow: boolean): void {
    this.#waiting[isSlow ? "slow" : "quick"].push(item);
    this.#fill();
  }

  /** An item that was started, with `isSlow` as it was told, has ended. */
  leave(isSlow: boolean): void {
    this.running -= 1;
    if (isSlow) this.#slowRunning -= 1;
    this.#fill();
  }

  /** Forgets everybody who waits. */
  clear(): void {
    this.#waiting.quick.length = 0;
    this.#waiting.slow.length = 0;
  }

  #fill(): void {
    const { quick, slow } = this.#waiting;
    while (this.running < this.#limit) {
      const slowMay = slow.length > 0 && this.#slowRunning < this.#slowLimit;
      const isSlow = slowMay && (this.#isSlowTurn || quick.length === 0);
      const item = isSlow ? slow.shift() : quick.shift();
      if (item === undefined) return;
      this.#isSlowTurn = !isSlow;
      this.running += 1;
      if (isSlow) this.#slowRunning += 1;
      this.#start(item, isSlow);
    }
  }
}
