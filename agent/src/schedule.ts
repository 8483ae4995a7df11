import type { Intervals } from "./link/delivery.ts";
import type { Report } from "./report.ts";

/** Until the server says otherwise, in seconds. */
const DEFAULT_INTERVALS: Intervals = { metrics: 10, processes: 60, connections: 60, applications: 6 * 3600 };
const MIN_SECONDS = 5;
const MAX_SECONDS = 24 * 3600;
/** What hardly ever changes, all the same. */
const SYSTEM_SECONDS = 3600;

export type Part = Exclude<keyof Report, "metrics" | "unresponsiveMounts">;

/** What each report is to carry. Milliseconds of a clock that is never set. */
export class Schedule {
  #intervals = DEFAULT_INTERVALS;
  readonly #dueAt: Record<Part, number>;

  /** The first look at what costs more comes a little later, what takes most by itself. */
  constructor(now: number) {
    this.#dueAt = {
      system: now,
      processes: now + 10_000,
      containers: now + 10_000,
      // With the processes: what went on at a moment is both.
      connections: now + 10_000,
      applications: now + 30_000,
    };
  }

  get metricsMs(): number {
    return this.#intervals.metrics * 1000;
  }

  /** What the server requests, as far as it makes sense. */
  adopt(requested: Partial<Intervals>): void {
    const known = Object.entries(this.#intervals).map(([name, seconds]) => {
      const wanted = Number(requested[name as keyof Intervals]);
      return [name, Number.isFinite(wanted) ? Math.min(MAX_SECONDS, Math.max(MIN_SECONDS, wanted)) : seconds];
    });
    this.#intervals = Object.fromEntries(known) as unknown as Intervals;
  }

  /** Has that part come with the next report, however long it is until it would be due. */
  hasten(part: Part): void {
    this.#dueAt[part] = Number.NEGATIVE_INFINITY;
  }

  /** What is due now, which is then due again an interval later. */
  take(now: number): Part[] {
    const due = (Object.keys(this.#dueAt) as Part[]).filter((part) => now >= this.#dueAt[part]);
    for (const part of due) this.#dueAt[part] = now + this.#secondsOf(part) * 1000;
    return due;
  }

  #secondsOf(part: Part): number {
    if (part === "system") return SYSTEM_SECONDS;
    return part === "containers" ? this.#intervals.processes : this.#intervals[part];
  }
}
