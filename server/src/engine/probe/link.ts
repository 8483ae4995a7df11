import type { CertificateReport } from "../../checks/certificate.ts";
import type { Phases } from "../../checks/check.ts";
import type { HttpEvidence } from "../../checks/evidence.ts";
import type { Outcome } from "../../checks/outcome.ts";
import type { Route } from "../../checks/route.ts";
import type { MessageDescriptor } from "../../platform/i18n/message.ts";

/**
 * The one interface between a probe and the server (architecture.md, The engine). The built-in
 * probe speaks it over worker messages, remote probes over HTTPS. A probe is autonomous: it holds
 * its assignments, schedules by itself and keeps results until they are acknowledged.
 */

/** One monitor as a probe must know it. Decrypted secrets are inside `config`. */
export interface Assignment {
  monitorId: number;
  /** Grows with every change; an older one never replaces a newer one. */
  revision: number;
  type: string;
  config: unknown;
  intervalMs: number;
  timeoutMs: number;
  /** Between a check and the recheck that confirms it; absent from an older server: none. */
  recheckDelayMs?: number;
  /** Results of earlier revisions do not count: of another target, or from before a pause. Absent: all do. */
  countsFrom?: number;
  /** Failures in a row that make it down here, successes that bring it back; absent from an older server: 1. */
  confirmations?: number;
  recoveries?: number;
  /** Scheduled time of the newest check that the store knows of, so that a run missed since is made up. */
  lastAtMs?: number;
}

/** One check as the server stores it; unique by (monitor, location, scheduledAt). */
export interface ProbeResult {
  monitorId: number;
  /** Of the assignment that was checked; absent in results that an older program left on disk. */
  revision?: number;
  location: string;
  /** Milliseconds since 1970: the instant the schedule wanted, not the one it got. */
  scheduledAt: number;
  verdict: Outcome;
  /** Why it did not pass. */
  reason: MessageDescriptor | null;
  /** What a passed check has to say. */
  message?: MessageDescriptor;
  statusCode: number | null;
  address: string | null;
  protocol: string | null;
  phases: Phases;
  /** The caller that requested it and waits (directory.ts); absent where none does. */
  requests?: string[];
  /** Present when it differs from the last one sent for this monitor, and after each start. */
  certificate?: CertificateReport;
  /** What a failure saw that may begin an outage: the first of a row and the one that confirms it. Never stored with it. */
  evidence?: HttpEvidence;
  /**
   * The way to the address of such a failure. It takes seconds, so it comes by itself: the same result once more, which
   * cannot be confused with another.
   */
  route?: Route;
}

/** Results in the order they were made. `sequence` grows by one a batch within one queue. */
export interface ResultBatch {
  sequence: number;
  results: ProbeResult[];
}

/** When a probe first checks a monitor it did not have: a person waits for it, or it only changes hands. */
export type FirstCheck = "now" | "on_grid";

/** What the server calls of a probe. */
export interface ProbeControl {
  /**
   * Replaces what is known of these monitors. New and changed ones are checked at once, unless
   * `firstCheck` is "on_grid" (start of the process, shares taken over): then when their time comes.
   */
  assign(assignments: Assignment[], firstCheck?: FirstCheck): void;
  unassign(monitorIds: number[]): void;
  /**
   * One extra check outside the schedule, `recheckDelayMs` after the last one here ended: at once, if that has passed. The probe
   * keeps the delay, so that the server may restart meanwhile, and the distance is that between the checks themselves, however
   * long their results were under way. Nothing happens where the monitor is not held.
   */
  recheck(monitorId: number): void;
  /**
   * One extra check at once, whose result carries `request`. A check that is under way serves as well. Nothing
   * happens where the monitor is not held.
   */
  checkNow(monitorId: number, request: string): void;
}

/** What a probe calls of the server. The promise resolves when the batch is stored: that is the acknowledgement. */
export interface ResultSink {
  accept(batch: ResultBatch): Promise<void>;
}

/** A result without what its check saw: whatever is done with results, few have a use for that. */
export function withoutEvidence<Result extends ProbeResult>(result: Result): Result {
  if (result.evidence === undefined) return result;
  const { evidence: _, ...rest } = result;
  return rest as Result;
}
