import type { CheckKind, CheckOutcome } from "../check/check.ts";
import { stopCheck } from "../check/deadline.ts";
import type { Network } from "../check/network.ts";
import type { Logger } from "../context.ts";
import type { LostTime } from "../schedule/lost-time.ts";
import { Scheduler } from "../schedule/scheduler.ts";
import { Ticker } from "../schedule/ticker.ts";
import type { TimeBase } from "../schedule/time-base.ts";
import type { EgressGuard } from "./egress.ts";
import {
  followUp,
  type HeldMonitor,
  holdMonitor,
  internalFailure,
  isOverdue,
  isSameCheck,
  mayBeStall,
  neverEnded,
  type Run,
  resultOf,
  unknownKind,
} from "./held-monitor.ts";
import { Lanes } from "./lanes.ts";
import { type Lateness, newLateness, recordLateness } from "./lateness.ts";
import type { Assignment, FirstCheck, ProbeControl, ProbeResult, ProbeVerdict } from "./link.ts";

export interface RunnerOptions {
  location: string;
  network: Network;
  kindOf(type: string): CheckKind<never> | null;
  time: TimeBase;
  /** Of the thread that this runs on. */
  lost: LostTime;
  guard: EgressGuard;
  log: Logger;
  /** Checks under way at once. Default 1024. */
  concurrency?: number;
  /** Takes every result; `isUrgent` when somebody waits for it. */
  onResult(result: ProbeResult, isUrgent: boolean): void;
}

/** A check that took this long is a slow one next time. */
const SLOW_MS = 1_000;

/** Checks its monitors on time and tells their results. Works wherever it is put: no thread, no disk of its own. */
export class Runner implements ProbeControl {
  checks = 0;
  readonly #options: RunnerOptions;
  readonly #held = new Map<number, HeldMonitor>();
  readonly #running = new Set<HeldMonitor>();
  readonly #scheduler: Scheduler;
  readonly #lanes: Lanes<HeldMonitor>;
  #lateness = newLateness();
  readonly #ticker: Ticker;
  #isStopping = false;
  /** Failures that wait for the egress guard's word. */
  #judging = 0;
  #onIdle: (() => void) | null = null;

  constructor(options: RunnerOptions) {
    this.#options = options;
    this.#scheduler = new Scheduler(options.time, (id, at, isExtra) => this.#onDue(id, at, isExtra));
    this.#lanes = new Lanes(options.concurrency ?? 1_024, (held, isSlow) => this.#begin(held, isSlow));
    this.#ticker = new Ticker({
      time: options.time,
      nextWakeMs: () => this.#scheduler.nextWakeMs(),
      onTick: () => this.#scheduler.advance(),
      onSecond: () => this.#giveUpOverdue(),
    });
  }

  get monitors(): number {
    return this.#held.size;
  }

  /** Runs left out because of stalls or overlaps. */
  get skipped(): number {
    return this.#scheduler.skipped;
  }

  /** How late checks began since this was asked last. */
  takeLateness(): Lateness {
    const taken = this.#lateness;
    this.#lateness = newLateness();
    return taken;
  }

  assign(assignments: Assignment[], firstCheck: FirstCheck = "now"): void {
    for (const assignment of assignments) this.#assignOne(assignment, firstCheck);
    this.#ticker.wake();
  }

  unassign(monitorIds: number[]): void {
    for (const monitorId of monitorIds) {
      const held = this.#held.get(monitorId);
      if (!held) continue;
      this.#held.delete(monitorId);
      this.#scheduler.remove(monitorId);
      stopCheck(held.environment.signal);
    }
  }

  recheck(monitorId: number): void {
    const held = this.#held.get(monitorId);
    if (!held || this.#isStopping) return;
    this.#scheduler.runAfter(monitorId, held.assignment.recheckDelayMs ?? 0);
    this.#ticker.wake();
  }

  /** Begins no more checks; those under way have `graceMs` to end, then they are given up without a result. */
  async stop(graceMs: number): Promise<void> {
    this.#isStopping = true;
    this.#ticker.stop();
    this.#lanes.clear();
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

  #assignOne(assignment: Assignment, firstCheck: FirstCheck): void {
    const { monitorId, intervalMs } = assignment;
    const known = this.#held.get(monitorId);
    if (known && assignment.revision < known.assignment.revision) return;
    if (known && isSameCheck(known.assignment, assignment)) {
      const { revision } = known.assignment;
      known.assignment = { ...assignment, config: known.assignment.config };
      this.#scheduler.set(monitorId, intervalMs);
      // Resumed, or changed and changed back, before anybody here heard of it: nothing is known of it now.
      if ((assignment.countsFrom ?? 0) > revision && !this.#isStopping) this.#scheduler.runNow(monitorId);
      return;
    }
    if (known) stopCheck(known.environment.signal);
    if (known) this.#scheduler.finished(monitorId);
    this.#held.set(monitorId, holdMonitor(assignment, known, this.#options));
    const { lastAtMs: newestMs } = assignment;
    const former = newestMs === undefined ? undefined : { newestMs, makeUp: firstCheck === "on_grid" };
    this.#scheduler.set(monitorId, intervalMs, former);
    if (firstCheck === "on_grid" || this.#isStopping) return;
    // Whoever changed something waits; a monitor that changes hands may have been checked just now.
    if (known) this.#scheduler.runNow(monitorId);
    else this.recheck(monitorId);
  }

  #onDue(monitorId: number, scheduledMs: number, isExtra: boolean): void {
    const held = this.#held.get(monitorId);
    if (!held) return;
    held.run = { scheduledMs, isExtra, isSlow: held.wasSlow, startedMs: null, lostBeforeMs: 0 };
    this.#lanes.enter(held, held.wasSlow);
  }

  #begin(held: HeldMonitor, isSlow: boolean): void {
    const { run } = held;
    if (!run || held.environment.signal.isStopped) {
      queueMicrotask(() => this.#lanes.leave(isSlow));
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
    this.#lanes.leave(run.isSlow);
    return true;
  }

  #end(held: HeldMonitor, run: Run, outcome: CheckOutcome): void {
    if (!this.#leave(held, run)) return;
    held.environment.resolveSinceMs = outcome.verdict === "failed" ? performance.now() : undefined;
    if (held.environment.signal.isStopped) this.#settled();
    else if (this.#options.guard.concerns(outcome)) {
      this.#judging += 1;
      const span = { startedMs: run.startedMs ?? 0, endedMs: performance.now() };
      void this.#options.guard.isCutOff(span).then((cutOff) => {
        this.#judging -= 1;
        return this.#report(held, run, outcome, cutOff);
      });
    } else this.#report(held, run, outcome, false);
  }

  #report(held: HeldMonitor, run: Run, outcome: CheckOutcome, isCutOff: boolean): void {
    const { monitorId } = held.assignment;
    if (this.#held.get(monitorId) === held) {
      const isOurFault = isCutOff || mayBeStall(outcome, run, this.#options.lost);
      const verdict: ProbeVerdict = isOurFault ? "probe_fault" : outcome.verdict;
      const isUrgent = run.isExtra || verdict !== (held.lastVerdict ?? "ok");
      const { quietMs, retryMs } = followUp(held, verdict);
      this.#scheduler.finished(monitorId, quietMs);
      if (retryMs !== null && !this.#isStopping) this.#scheduler.runAfter(monitorId, retryMs);
      this.checks += 1;
      const result = resultOf(held, this.#options.location, run.scheduledMs, outcome, verdict);
      this.#options.onResult(result, isUrgent);
    }
    this.#settled();
  }

  #settled(): void {
    if (this.#isStopping && this.#running.size + this.#judging === 0) this.#onIdle?.();
  }

  /** A check that does not end, whatever its timeout says, must not silence its monitor for good. */
  #giveUpOverdue(): void {
    for (const held of this.#running) {
      const { run, assignment } = held;
      if (!run || !isOverdue(run, assignment.timeoutMs, this.#options.lost)) continue;
      const { monitorId, type } = assignment;
      this.#options.log.error({ monitorId, type }, "A check did not end in its time and was given up");
      stopCheck(held.environment.signal);
      const again = holdMonitor(assignment, held, this.#options);
      this.#held.set(monitorId, again);
      this.#leave(held, run);
      this.#report(again, run, neverEnded, false);
    }
  }
}
