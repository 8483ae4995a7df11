import { isIP } from "node:net";
import type { ActiveKind, CheckOutcome } from "../../checks/check.ts";
import { stopCheck } from "../../checks/deadline.ts";
import type { HttpEvidence } from "../../checks/evidence.ts";
import type { TargetPolicy } from "../../checks/guard.ts";
import type { Network } from "../../checks/network.ts";
import type { Outcome } from "../../checks/outcome.ts";
import { classOf, type ReasonClass } from "../../checks/reasons.ts";
import { noRoute, type Route, traceRoute } from "../../checks/route.ts";
import { Ticker } from "../schedule/plan.ts";
import { Scheduler } from "../schedule/scheduler.ts";
import type { Lateness } from "./check-delay.ts";
import {
  followUp,
  type HeldMonitor,
  holdMonitor,
  isSameCheck,
  mayBeStall,
  neverEnded,
  type Run,
  resultOf,
} from "./held-monitor.ts";
import {
  type Assignment,
  type FirstCheck,
  type ProbeControl,
  type ProbeResult,
  withoutEvidence,
} from "./link.ts";
import { RunningChecks, type RunningChecksOptions } from "./running-checks.ts";

/** Traces the way to the addresses of failed checks, one at a time in this process. */
interface RouteTracer {
  /**
   * The way to the address that a check could not reach, or why it is not known. Null: the check did reach it, or never
   * knew an address, or this was stopped.
   */
  trace(result: ProbeResult): Promise<Route | null>;
  /** Ends the trace under way, and those that wait. */
  stop(): void;
}

/** Of a thread: more get none, so that traces are about the moment of the failure. */
const MAX_WAITING = 8;
const MAX_WAIT_MS = 30_000;
/** Of all threads of the process. */
const LOCK = "vedette-route";

const NETWORK_FAILURES = new Set<ReasonClass>(["timeout", "refused", "unreachable"]);
/** The connection ended before there was an answer. */
const BROKEN_OFF = new Set<string>(["tls.reset", "tls.closed", "protocol.reset", "protocol.incomplete"]);

export function createRouteTracer(policy: TargetPolicy, trace: typeof traceRoute = traceRoute): RouteTracer {
  const ending = new AbortController();
  const { signal } = ending;
  let waiting = 0;
  const inTurn = async (to: Parameters<typeof traceRoute>[0]): Promise<Route | null> => {
    const requestedMs = performance.now();
    waiting += 1;
    try {
      return await navigator.locks.request(LOCK, { signal }, () =>
        performance.now() - requestedMs > MAX_WAIT_MS ? noRoute("busy") : trace(to, { policy, signal }),
      );
    } catch (error) {
      if (signal.aborted) return null;
      throw error;
    } finally {
      waiting -= 1;
    }
  };
  return {
    async trace(result) {
      const { address } = result;
      if (address === null || !isOfNetwork(result) || signal.aborted) return null;
      if (waiting >= MAX_WAITING) return noRoute("busy");
      return inTurn({ address, family: isIP(address) === 6 ? 6 : 4 });
    },
    stop: () => ending.abort(),
  };
}

/** Whether the network may be at fault: no answer was wrong, there was none. */
function isOfNetwork({ reason, statusCode }: ProbeResult): boolean {
  if (reason === null || statusCode !== null) return false;
  return NETWORK_FAILURES.has(classOf(reason)) || BROKEN_OFF.has(reason.code);
}

export interface RunnerOptions extends Omit<RunningChecksOptions, "onEnd" | "onOverdue"> {
  location: string;
  network: Network;
  kindOf(type: string): ActiveKind | null;
  /** Takes every result; `isUrgent` when a caller waits for it. */
  onResult(result: ProbeResult, isUrgent: boolean): void;
}

/** Checks its monitors on time and delivers their results. Works wherever it is put: no thread, no disk of its own. */
export class Runner implements ProbeControl {
  checks = 0;
  readonly #options: RunnerOptions;
  readonly #held = new Map<number, HeldMonitor>();
  readonly #running: RunningChecks;
  readonly #scheduler: Scheduler;
  readonly #ticker: Ticker;
  readonly #routes: RouteTracer;
  #isStopping = false;

  constructor(options: RunnerOptions) {
    this.#options = options;
    this.#scheduler = new Scheduler(options.time, (id, at, isExtra) => this.#onDue(id, at, isExtra));
    this.#running = new RunningChecks({
      ...options,
      onEnd: (held, run, outcome, isCutOff) => this.#report(held, run, outcome, isCutOff),
      onOverdue: (held, run) => this.#replace(held, run),
    });
    this.#routes = createRouteTracer(options.network.policy);
    this.#ticker = new Ticker({
      time: options.time,
      nextWakeMs: () => this.#scheduler.nextWakeMs(),
      onTick: () => this.#scheduler.advance(),
      onSecond: () => this.#running.giveUpOverdue(),
    });
  }

  get monitors(): number {
    return this.#held.size;
  }

  /** Runs left out because of stalls or overlaps. */
  get skipped(): number {
    return this.#scheduler.skipped;
  }

  /** How late checks began since the last call. */
  takeLateness(): Lateness {
    return this.#running.takeLateness();
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

  checkNow(monitorId: number, request: string): void {
    const held = this.#held.get(monitorId);
    if (!held || this.#isStopping) return;
    held.requests.push(request);
    this.#scheduler.runNow(monitorId);
  }

  /** Begins no more checks; those under way have `graceMs` to end, then they are given up without a result. */
  stop(graceMs: number): Promise<void> {
    this.#isStopping = true;
    this.#ticker.stop();
    this.#routes.stop();
    return this.#running.stop(graceMs);
  }

  #assignOne(assignment: Assignment, firstCheck: FirstCheck): void {
    const { monitorId, intervalMs } = assignment;
    const known = this.#held.get(monitorId);
    if (known && assignment.revision < known.assignment.revision) return;
    if (known && isSameCheck(known.assignment, assignment)) {
      const { revision } = known.assignment;
      known.assignment = { ...assignment, config: known.assignment.config };
      this.#scheduler.set(monitorId, intervalMs);
      // Resumed, or changed and changed back, before this probe learned of it: nothing is known of it now.
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
    // The user who changed something waits; a monitor that changes hands may have been checked just now.
    if (known) this.#scheduler.runNow(monitorId);
    else this.recheck(monitorId);
  }

  #onDue(monitorId: number, scheduledMs: number, isExtra: boolean): void {
    const held = this.#held.get(monitorId);
    if (held) this.#running.enter(held, { scheduledMs, isExtra });
  }

  #report(held: HeldMonitor, run: Run, outcome: CheckOutcome, isCutOff: boolean): void {
    const { monitorId } = held.assignment;
    if (this.#held.get(monitorId) !== held) return;
    const isOurFault = isCutOff || mayBeStall(outcome, run, this.#options.lost);
    const verdict: Outcome = isOurFault ? "probe_fault" : outcome.verdict;
    const isUrgent = run.isExtra || verdict !== (held.lastVerdict ?? "ok");
    const { quietMs, retryMs, isTelling, isConfirmed } = followUp(held, verdict, run.isExtra);
    this.#scheduler.finished(monitorId, quietMs);
    if (retryMs !== null && !this.#isStopping) this.#scheduler.runAfter(monitorId, retryMs);
    this.checks += 1;
    const result = resultOf(held, this.#options.location, run.scheduledMs, outcome, verdict);
    const evidence = isTelling ? this.#evidenceOf(outcome, monitorId) : undefined;
    if (evidence) result.evidence = evidence;
    this.#options.onResult(result, isUrgent);
    if (evidence && isConfirmed) void this.#traceRoute(withoutEvidence(result));
  }

  /** It is not urgent: when it is known, it follows the result that it belongs to. */
  async #traceRoute({ requests: _, certificate: __, ...result }: ProbeResult): Promise<void> {
    try {
      const route = await this.#routes.trace(result);
      if (route !== null) this.#options.onResult({ ...result, route }, false);
    } catch (error) {
      const { monitorId } = result;
      this.#options.log.error({ err: error, monitorId }, "The route to a failed target could not be traced");
    }
  }

  /** A result goes out without it rather than not at all. */
  #evidenceOf({ evidence }: CheckOutcome, monitorId: number): HttpEvidence | undefined {
    try {
      return evidence?.();
    } catch (error) {
      this.#options.log.error({ err: error, monitorId }, "What a failed check saw could not be stored");
      return undefined;
    }
  }

  /** So that the next check need not wait for one that never ends. A monitor changed or removed since is left alone. */
  #replace(held: HeldMonitor, run: Run): void {
    if (this.#held.get(held.assignment.monitorId) !== held) return;
    const again = holdMonitor(held.assignment, held, this.#options);
    this.#held.set(again.assignment.monitorId, again);
    this.#report(again, run, neverEnded, false);
  }
}
