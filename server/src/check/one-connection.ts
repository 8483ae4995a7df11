import { isIP } from "node:net";
import type { Duplex } from "node:stream";
import { type CheckEnvironment, type CheckOutcome, NO_PHASES } from "./check.ts";
import { endDeadline, startDeadline } from "./deadline.ts";
import { type Connection, type DialOptions, dial, hangUp, newConnection } from "./dial.ts";
import { DialogueError } from "./dialogue-error.ts";
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
  /** Sent in the handshake (SNI) and verified, in place of the host; null: the host. */
  serverName?: string | null;
  /** Also where the server knows no secure renegotiation. */
  legacyRenegotiation?: boolean;
  /** What is offered to be spoken over TLS (ALPN). */
  alpn?: readonly string[];
}

/** What goes on over a connection that has been made. */
export interface Exchange {
  /** Settles when it is over; a DialogueError is the check's reason. */
  over: Promise<void>;
  /** What to say of it when its time is up; absent: what the connection says. */
  late?(timeoutMs: number): Reason;
  /** Its time is up, or it is no longer wanted. */
  end?(reason: Reason): void;
}

/**
 * A check over one connection: dials, lets the exchange go on, hangs up. It passes when the exchange does. Deadline and
 * stop signal end it wherever it is. Rejects with whatever else is thrown.
 */
export function checkOver(
  peer: Peer,
  environment: CheckEnvironment,
  begin: (connection: Connection, socket: Duplex) => Exchange,
): Promise<CheckOutcome> {
  return new Promise((resolve, reject) => {
    const startedMs = performance.now();
    const trace = newTrace();
    let exchange: Exchange | null = null;
    const close = (reason: Reason | null): boolean => {
      if (!hangUp(connection)) return false;
      endDeadline(deadline);
      if (reason !== null) exchange?.end?.(reason);
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
      end(exchange?.late?.(timeoutMs) ?? timedOut(connection.stage, connection.where, timeoutMs));
    };
    const deadline = startDeadline(environment, expire, () => end(STOPPED), fault);
    if (environment.signal?.isStopped) return end(STOPPED);
    const connected = (socket: Duplex) => {
      exchange = begin(connection, socket);
      const refused = (error: unknown) => (error instanceof DialogueError ? end(error.reason) : fault(error));
      exchange.over.then(() => end(null), refused);
    };
    dial(
      connection,
      { alpn: peer.tls ? (peer.alpn ?? []) : null, onread: undefined },
      { connected, failed: end },
    );
  });
}

const dialOptions = (
  { host, port, ignoreCertificate, serverName = null, legacyRenegotiation = false }: Peer,
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
  serverName,
  legacyRenegotiation,
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
