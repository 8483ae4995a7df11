import type { CheckOutcome } from "../../checks/check.ts";
import { stopCheck } from "../../checks/deadline.ts";
import type { Logger } from "../../platform/context.ts";
import type { LostTime } from "../schedule/lost-time.ts";
import type { TimeBase } from "../schedule/plan.ts";
import { type Lateness, newLateness, recordLateness } from "./check-delay.ts";
import type { EgressGuard } from "./egress.ts";
import { type HeldMonitor, internalFailure, isOverdue, type Run, unknownKind } from "./held-monitor.ts";

/**
 * How many checks run at once, and who is next when all places are taken: first come, first served, but checks of targets that
 * were slow last time share three quarters of the places. So a thousand hanging targets cannot hold up the others.
 */
export class Slots<T> {
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

  /** An item that was started, with `isSlow` as given, has ended. */
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

export interface RunningChecksOptions {
  time: TimeBase;
  /** Of the thread that this runs on. */
  lost: LostTime;
  guard: EgressGuard;
  log: Logger;
  /** Checks under way at once. Default 1024. */
  concurrency?: number;
  /** Takes what a check came to; `isCutOff` when the probe's own line is down. Not called for one that was stopped. */
  onEnd(held: HeldMonitor, run: Run, outcome: CheckOutcome, isCutOff: boolean): void;
  /** Takes a check that was stopped because it should have ended long ago. */
  onOverdue(held: HeldMonitor, run: Run): void;
}

/** A check that took this long is a slow one next time. */
const SLOW_MS = 1_000;

/** The checks that wait for a place or are under way: begins them, and sees each to its end. */
export class RunningChecks {
  readonly #options: RunningChecksOptions;
  readonly #running = new Set<HeldMonitor>();
  readonly #slots: Slots<HeldMonitor>;
  #lateness = newLateness();
  /** Failures that wait for the egress guard's word. */
  #judging = 0;
  /** Null unless `stop` waits. */
  #onIdle: (() => void) | null = null;

  constructor(options: RunningChecksOptions) {
    this.#options = options;
    this.#slots = new Slots(options.concurrency ?? 1_024, (held, isSlow) => this.#begin(held, isSlow));
  }

  /** How late checks began since the last call. */
  takeLateness(): Lateness {
    const taken = this.#lateness;
    this.#lateness = newLateness();
    return taken;
  }

  /** Runs the check that is due, now or when a place is free. */
  enter(held: HeldMonitor, due: { scheduledMs: number; isExtra: boolean }): void {
    held.run = { ...due, isSlow: held.wasSlow, startedMs: null, lostBeforeMs: 0 };
    this.#slots.enter(held, held.wasSlow);
  }

  /** A check that does not end, whatever its timeout says, must not silence its monitor for good. */
  giveUpOverdue(): void {
    for (const held of this.#running) {
      const { run, assignment } = held;
      if (!run || !isOverdue(run, assignment.timeoutMs, this.#options.lost)) continue;
      const { monitorId, type } = assignment;
      this.#options.log.error({ monitorId, type }, "A check did not end in its time and was given up");
      stopCheck(held.environment.signal);
      this.#leave(held, run);
      this.#options.onOverdue(held, run);
      this.#notifyEnded();
    }
  }

  /** Begins no more checks; those under way have `graceMs` to end, then they are given up without a result. */
  async stop(graceMs: number): Promise<void> {
    this.#slots.clear();
    if (this.#running.size + this.#judging > 0) {
      const idle = new Promise<void>((resolve) => {
        this.#onIdle = resolve;
      });
      const timer = setTimeout(() => this.#onIdle?.(), graceMs);
      await idle;
      clearTimeout(timer);
    }
    for (const held of this.#running) stopCheck(held.environment.signal);
  }

  #begin(held: HeldMonitor, isSlow: boolean): void {
    const { run } = held;
    if (!run || held.environment.signal.isStopped) {
      queueMicrotask(() => this.#slots.leave(isSlow));
      return;
    }
    recordLateness(this.#lateness, this.#options.time.now() - run.scheduledMs);
    run.startedMs = performance.now();
    run.lostBeforeMs = this.#options.lost.totalMs();
    // A recheck for another location's sake: nothing failed here, yet it has to see for itself.
    if (run.isExtra && held.lastVerdict !== null) held.environment.resolveSinceMs ??= run.startedMs;
    this.#running.add(held);
    this.#check(held).then(
      (outcome) => this.#end(held, run, outcome),
      (error: unknown) => {
        const { monitorId, type } = held.assignment;
        this.#options.log.error({ err: error, monitorId, type }, "A check threw instead of failing");
        this.#end(held, run, internalFailure);
      },
    );
  }

  async #check({ kind, assignment, environment }: HeldMonitor): Promise<CheckOutcome> {
    return kind ? kind.run(assignment.config as never, environment) : unknownKind;
  }

  /** Frees the run's place; false when that was done before. */
  #leave(held: HeldMonitor, run: Run): boolean {
    if (held.run !== run) return false;
    held.run = null;
    held.wasSlow = performance.now() - (run.startedMs ?? 0) > SLOW_MS;
    this.#running.delete(held);
    this.#slots.leave(run.isSlow);
    return true;
  }

  #end(held: HeldMonitor, run: Run, outcome: CheckOutcome): void {
    if (!this.#leave(held, run)) return;
    held.environment.resolveSinceMs = outcome.verdict === "failed" ? performance.now() : undefined;
    if (held.environment.signal.isStopped) this.#notifyEnded();
    else if (this.#options.guard.concerns(outcome)) {
      this.#judging += 1;
      const span = { startedMs: run.startedMs ?? 0, endedMs: performance.now() };
      void this.#options.guard.isCutOff(span).then((cutOff) => {
        this.#judging -= 1;
        return this.#deliver(held, run, outcome, cutOff);
      });
    } else this.#deliver(held, run, outcome, false);
  }

  #deliver(held: HeldMonitor, run: Run, outcome: CheckOutcome, isCutOff: boolean): void {
    this.#options.onEnd(held, run, outcome, isCutOff);
    this.#notifyEnded();
  }

  #notifyEnded(): void {
    if (this.#running.size + this.#judging === 0) this.#onIdle?.();
  }
}
