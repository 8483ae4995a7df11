import type { TimeBase } from "./time-base.ts";

export interface TickerOptions {
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
