/** What counters have grown by a second since the previous look; a counter that is new, or began again, says nothing yet. */
export class Rates {
  #previous = new Map<string, number>();
  #at = 0;

  /** `now`: milliseconds of a clock that is never set. */
  since(counters: ReadonlyMap<string, number>, now: number): Map<string, number> {
    const seconds = (now - this.#at) / 1000;
    const rates = new Map<string, number>();
    for (const [name, value] of counters) {
      const before = this.#previous.get(name);
      if (before !== undefined && value >= before && seconds > 0) rates.set(name, (value - before) / seconds);
    }
    this.#previous = new Map(counters);
    this.#at = now;
    return rates;
  }
}
