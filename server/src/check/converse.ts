import { isIP } from "node:net";
import type { Duplex } from "node:stream";
import { type CheckEnvironment, type CheckOutcome, NO_PHASES } from "./check.ts";
import { endDeadline, startDeadline } from "./deadline.ts";
import { type DialOptions, dial, hangUp, newConnection } from "./dial.ts";
import { type Dialogue, DialogueError, startDialogue, type TimedDialogue } from "./dialogue.ts";
import type { Fault } from "./fault.ts";
import { isUntimed, type Reason, STOPPED, timedOut } from "./reasons.ts";
import { newTrace, phasesOf, type Trace } from "./trace.ts";

/** Whom to talk to. */
export interface Peer {
  /** Name or IP literal, without brackets. */
  host: string;
  port: number;
  /** TLS from the first byte. */
  tls: boolean;
  ignoreCertificate: boolean;
}

/** What belongs to a protocol: saying, hearing, and being content with it. */
export type Talk = (dialogue: Dialogue) => Promise<void>;

/**
 * A check that is a dialogue: dials, lets `talk` go on, hangs up. It passes when `talk` does; a DialogueError is its
 * failure. Deadline and stop signal end it wherever it is. Rejects with whatever else is thrown.
 */
export function converse(peer: Peer, environment: CheckEnvironment, talk: Talk): Promise<CheckOutcome> {
  return new Promise((resolve, reject) => {
    const startedMs = performance.now();
    const trace = newTrace();
    let dialogue: TimedDialogue | null = null;
    const close = (reason: Reason | null): boolean => {
      if (!hangUp(connection)) return false;
      endDeadline(deadline);
      if (reason !== null) dialogue?.end(reason);
      return true;
    };
    const end = (reason: Reason | null) => {
      if (close(reason)) resolve(outcomeOf(trace, performance.now() - startedMs, reason));
    };
    const fault = (error: unknown) => {
      if (close(STOPPED)) reject(error);
    };
    const connection = newConnection(dialOptions(peer, environment, trace, fault));
    const expire = () => {
      const { timeoutMs } = environment;
      end(dialogue?.late(timeoutMs) ?? timedOut(connection.stage, connection.where, timeoutMs));
    };
    const deadline = startDeadline(environment, expire, () => end(STOPPED), fault);
    if (environment.signal?.isStopped) return end(STOPPED);
    const connected = (socket: Duplex) => {
      dialogue = startDialogue(connection, socket);
      const refused = (error: unknown) => (error instanceof DialogueError ? end(error.reason) : fault(error));
      talk(dialogue).then(() => end(null), refused);
    };
    dial(connection, { alpn: peer.tls ? [] : null, onread: undefined }, { connected, failed: end });
  });
}

const dialOptions = (
  { host, port, ignoreCertificate }: Peer,
  { network, resolveSinceMs }: CheckEnvironment,
  trace: Trace,
  fault: Fault,
): DialOptions => ({
  host,
  literal: isIP(host) !== 0,
  port,
  network,
  resolveSinceMs,
  ignoreCertificate,
  trace,
  fault,
});

const outcomeOf = (trace: Trace, totalMs: number, reason: Reason | null): CheckOutcome => ({
  verdict: reason === null ? "ok" : "failed",
  reason,
  statusCode: null,
  address: trace.address,
  protocol: trace.protocol,
  phases: isUntimed(reason) ? NO_PHASES : phasesOf(trace, totalMs),
  certificate: trace.certificate,
});
