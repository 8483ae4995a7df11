import { isIP } from "node:net";
import type { ResolvedAddress } from "./address.ts";
import { findAddresses } from "./approved-addresses.ts";
import {
  type CheckEnvironment,
  type CheckOutcome,
  NO_PHASES,
  newTrace,
  phasesOf,
  type Trace,
} from "./check.ts";
import { endDeadline, startDeadline } from "./deadline.ts";
import { type Fault, guarded } from "./fault.ts";
import { isUntimed, type Reason, STOPPED, shownHost, timedOut } from "./reasons.ts";

/** What a check without a connection measures. */
export const ADDRESS_PHASES = ["dns", "firstByte"] as const;
export type AddressOutcome = CheckOutcome<(typeof ADDRESS_PHASES)[number]>;

/** A check under way, for whoever asks its host. */
export interface AddressRun {
  environment: CheckEnvironment;
  /** Gets the address and the times. */
  trace: Trace;
  /** Ends the check; null: it passed. `totalMs`: what it took, if not all the time since it began. */
  end(reason: Reason | null, totalMs?: number): void;
  /** Nothing that happens now counts any more. */
  isOver(): boolean;
  fault: Fault;
}

/** The exchange with a host while it goes on. */
export interface OngoingExchange {
  /** What to say when the time is up. */
  late(timeoutMs: number): Reason;
  /** Lets go of all that it uses. */
  stop(): void;
}

/**
 * A check of a host without a connection: resolves it, asks the guard about every address, and lets `start` do the rest
 * with those that may be contacted. Deadline and stop signal end it wherever it is. Rejects with whatever else is thrown.
 * `known`: addresses that the machine's own configuration names; they are asked as they are.
 */
export function checkAddresses(
  host: string,
  environment: CheckEnvironment,
  start: (addresses: readonly ResolvedAddress[], run: AddressRun) => OngoingExchange,
  known?: readonly ResolvedAddress[],
): Promise<AddressOutcome> {
  return new Promise((resolve, reject) => {
    const startedMs = performance.now();
    const trace = newTrace();
    let exchange: OngoingExchange | null = null;
    let isOver = false;
    const close = (): boolean => {
      if (isOver) return false;
      isOver = true;
      endDeadline(deadline);
      exchange?.stop();
      return true;
    };
    const end = (reason: Reason | null, totalMs = performance.now() - startedMs) => {
      if (close()) resolve(outcomeOf(trace, totalMs, reason));
    };
    const fault = (error: unknown) => {
      if (close()) reject(error);
    };
    const { network, resolveSinceMs, timeoutMs, signal } = environment;
    const late = () => end(exchange?.late(timeoutMs) ?? timedOut("dns", shownHost(host), timeoutMs));
    const deadline = startDeadline(environment, late, () => end(STOPPED), fault);
    if (signal?.isStopped) return end(STOPPED);
    const found = (addresses: readonly ResolvedAddress[]) => {
      if (isOver) return;
      exchange = start(addresses, { environment, trace, end, isOver: () => isOver, fault });
      if (isOver) exchange.stop();
    };
    if (known !== undefined) return queueMicrotask(guarded(fault, () => found(known)));
    const lookup = { host, literal: isIP(host) !== 0, network, resolveSinceMs, fault };
    findAddresses(lookup, () => (trace.dnsMs = performance.now() - startedMs), found, end);
  });
}

function outcomeOf(trace: Trace, totalMs: number, reason: Reason | null): AddressOutcome {
  const phases = isUntimed(reason) ? NO_PHASES : phasesOf(trace, totalMs);
  return {
    verdict: reason === null ? "ok" : "failed",
    reason,
    statusCode: null,
    address: trace.address,
    protocol: null,
    phases: { ...phases, connectUs: null, tlsUs: null, transferUs: null },
    certificate: null,
  };
}
