import {
  type ActiveKind,
  type CheckEnvironment,
  type CheckOutcome,
  NOTHING_SEEN,
} from "../../checks/check.ts";
import type { StopSignal } from "../../checks/deadline.ts";
import type { Network } from "../../checks/network.ts";
import type { Outcome } from "../../checks/outcome.ts";
import { classOf, type Reason, type ReasonClass } from "../../checks/reasons.ts";
import { msg } from "../../platform/i18n/message.ts";
import type { LostTime } from "../schedule/lost-time.ts";
import { faultRetryMs } from "../schedule/plan.ts";
import type { Assignment, ProbeResult } from "./link.ts";

/** A monitor as the runner holds it. A changed configuration makes a new one. */
export interface HeldMonitor {
  assignment: Assignment;
  /** Null for a type this probe does not know. */
  kind: ActiveKind | null;
  /** The same object at every check; its signal ends the running one. */
  environment: CheckEnvironment & { signal: StopSignal };
  lastVerdict: Outcome | null;
  /** How many checks more must say what the last one said before it is confirmed. */
  unconfirmed: number;
  /** Checks in a row that were the probe's own fault. */
  faults: number;
  /** What was sent of the certificate last; the next one goes out when it differs. */
  sentCertificate: string | null;
  /** Whether the last check took long. */
  wasSlow: boolean;
  run: Run | null;
  /** Those who wait for the next result. */
  requests: string[];
  /** A caller requested it, and its outcome is to be confirmed without waiting for the schedule. */
  isConfirming: boolean;
}

/** The check that is waiting for a place or under way. */
export interface Run {
  scheduledMs: number;
  /** A caller or a person waits: first check, recheck. */
  isExtra: boolean;
  /** Which of the two queues it takes. */
  isSlow: boolean;
  /** By the monotonic clock; null while waiting. */
  startedMs: number | null;
  /** What the thread had lost by then (LostTime). */
  lostBeforeMs: number;
}

/** The monitor to hold from now on, in place of `known`. */
export function holdMonitor(
  assignment: Assignment,
  known: HeldMonitor | undefined,
  { network, kindOf, lost }: { network: Network; kindOf(type: string): ActiveKind | null; lost: LostTime },
): HeldMonitor {
  const signal = { isStopped: false, listener: null };
  return {
    assignment,
    kind: kindOf(assignment.type),
    environment: { network, timeoutMs: assignment.timeoutMs, signal, lostMs: lost.totalMs },
    lastVerdict: known?.lastVerdict ?? null,
    unconfirmed: known?.unconfirmed ?? 0,
    faults: known?.faults ?? 0,
    sentCertificate: null,
    wasSlow: false,
    run: null,
    requests: known?.requests ?? [],
    isConfirming: false,
  };
}

/** How a connection may end when the probe does not attend to it for a while. */
const STALL_FAILURES = new Set<ReasonClass>(["timeout", "protocol", "body", "tls", "unreachable", "dns"]);

/**
 * Whether a check may have failed because this probe was blocked for seconds: the other side
 * gave up, or a machine that slept has lost its connections. Shorter stalls are given back to the target.
 */
export const mayBeStall = (outcome: CheckOutcome, run: Run, lost: LostTime): boolean =>
  outcome.verdict === "failed" &&
  outcome.reason !== null &&
  STALL_FAILURES.has(classOf(outcome.reason)) &&
  lost.brokeOffSince(run.startedMs ?? 0);

/** After its timeout a check has this long to end by itself. */
const OVERDUE_MS = 5_000;

/** Whether a check that is under way should have ended long ago, not counting the time that the thread lost. */
export function isOverdue({ startedMs, lostBeforeMs }: Run, timeoutMs: number, lost: LostTime): boolean {
  const tookMs = performance.now() - (startedMs ?? 0) - (lost.totalMs() - lostBeforeMs);
  return tookMs >= timeoutMs + OVERDUE_MS;
}

interface FollowUp {
  quietMs: number;
  retryMs: number | null;
  isTelling: boolean;
  isConfirmed: boolean;
}

/**
 * What a check that has ended means for the monitor's next ones: no other begins for `quietMs`, because what it says
 * may have to be confirmed; and `retryMs` later it is made again: if it said nothing, or if a caller requested it
 * and what it said has to be confirmed, be it good or bad. `isTelling`: it failed, and an outage may begin with it, or
 * be confirmed by it; `isConfirmed`: the latter. Updates `held`.
 */
export function followUp(held: HeldMonitor, verdict: Outcome, isExtra: boolean): FollowUp {
  const { monitorId, intervalMs, recheckDelayMs = 0, confirmations = 1, recoveries = 1 } = held.assignment;
  const isFault = verdict === "probe_fault";
  const hasChanged = !isFault && (verdict === "failed") !== (held.lastVerdict === "failed");
  if (hasChanged) held.unconfirmed = verdict === "failed" ? confirmations : recoveries;
  const isOpen = held.unconfirmed > 0;
  if (!isFault) held.unconfirmed = Math.max(0, held.unconfirmed - 1);
  const isConfirmed = held.unconfirmed === 0 && (isOpen || isExtra);
  held.lastVerdict = verdict;
  held.faults = isFault ? held.faults + 1 : 0;
  held.isConfirming = (held.isConfirming || held.requests.length > 0) && held.unconfirmed > 0;
  const confirmMs = held.isConfirming ? recheckDelayMs : null;
  return {
    quietMs: hasChanged || (!isFault && held.unconfirmed > 0) ? recheckDelayMs : 0,
    retryMs: isFault ? faultRetryMs(monitorId, intervalMs, held.faults) : confirmMs,
    isTelling: verdict === "failed" && (hasChanged || isConfirmed),
    isConfirmed: verdict === "failed" && isConfirmed,
  };
}

/** Assignments are equal when they lead to the same check. */
export const isSameCheck = (a: Assignment, b: Assignment) =>
  a.type === b.type && a.timeoutMs === b.timeoutMs && JSON.stringify(a.config) === JSON.stringify(b.config);

export const unknownKind = failure(msg("internal.unknown_kind"));

export const internalFailure = failure(msg("internal.error"));
export const neverEnded = failure(msg("internal.given_up"));

function failure(reason: Reason): CheckOutcome {
  return { ...NOTHING_SEEN, verdict: "failed", reason, certificate: null };
}

/** The result to send, and what to remember of it. The certificate goes along when it is new. */
export function resultOf(
  held: HeldMonitor,
  location: string,
  scheduledMs: number,
  outcome: CheckOutcome,
  verdict: Outcome,
): ProbeResult {
  const { certificate, phases, reason, message, statusCode, address, protocol } = outcome;
  const result: ProbeResult = {
    monitorId: held.assignment.monitorId,
    revision: held.assignment.revision,
    location,
    scheduledAt: scheduledMs,
    verdict,
    reason,
    statusCode,
    address,
    protocol,
    phases,
  };
  if (message) result.message = message;
  if (held.requests.length > 0) result.requests = held.requests;
  held.requests = [];
  if (certificate) {
    const { fingerprint, invalidCode, expiresAt, host } = certificate;
    const shown = `${fingerprint} ${invalidCode} ${expiresAt} ${host}`;
    if (shown !== held.sentCertificate) result.certificate = certificate;
    held.sentCertificate = shown;
  }
  return result;
}
