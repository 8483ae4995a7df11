import { isIP } from "node:net";
import type { Duplex } from "node:stream";
import { Type } from "typebox";
import { normaliseHost } from "../platform/formats/host.ts";
import {
  type CheckEnvironment,
  type CheckOutcome,
  NO_PHASES,
  newTrace,
  phasesOf,
  type Trace,
} from "./check.ts";
import { endDeadline, type Fault, startDeadline } from "./deadline.ts";
import { type Connection, type DialOptions, dial, hangUp, newConnection } from "./dial.ts";
import { type Dialogue, startDialogue } from "./dialogue.ts";
import { DialogueError, isUntimed, type Reason, STOPPED, timedOut } from "./reasons.ts";

interface Peer {
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

interface Exchange {
  /** Resolves when it is over; a DialogueError is the check's reason. */
  over: Promise<void>;
  /** What to say of it when its time is up; absent: what the connection says. */
  late?(timeoutMs: number): Reason;
  /** Its time is up, or it is no longer wanted. */
  end?(reason: Reason): void;
}

/** Dials, lets the exchange go on, hangs up, until deadline or stop signal. Rejects with whatever else is thrown. */
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

export type Talk = (dialogue: Dialogue) => Promise<void>;

/** Passes when `talk` does; a DialogueError is its reason for failing, in which none of `secrets` is quoted. */
export const converse = (
  peer: Peer,
  environment: CheckEnvironment,
  talk: Talk,
  secrets: readonly string[] = [],
): Promise<CheckOutcome> =>
  checkOver(peer, environment, (connection, socket) => {
    const dialogue = startDialogue(connection, socket, secrets);
    return { over: talk(dialogue), late: dialogue.late, end: dialogue.end };
  });

/** Fields that most kinds have which connect to a host. */
export const hostField = Type.String({
  format: "host",
  maxLength: 255,
  description: "The server's name or IP address (IPv4 or IPv6).",
  examples: ["example.com"],
});

const PORT = { minimum: 1, maximum: 65_535 };

/** `usual` is what the protocol's servers listen on; without one the port has to be given. */
export const portField = Type.Integer({ ...PORT, description: "The port it listens on." });
export const usualPort = (usual: number) =>
  Type.Optional(Type.Integer({ ...PORT, default: usual, description: "The port it listens on." }));

interface PeerConfig {
  host: string;
  port: number;
  tls?: boolean | undefined;
  ignoreCertificate?: boolean | undefined;
  serverName?: string | undefined;
  legacyRenegotiation?: boolean | undefined;
}

export const peerOf = (config: PeerConfig): Peer => ({
  host: normalised(config.host),
  port: config.port,
  tls: config.tls ?? false,
  ignoreCertificate: config.ignoreCertificate ?? false,
  serverName: config.serverName === undefined ? null : normalised(config.serverName),
  legacyRenegotiation: config.legacyRenegotiation ?? false,
});

const normalised = (host: string) => normaliseHost(host) ?? host;

export function hostAndPort({ host, port }: PeerConfig): string {
  const bare = normaliseHost(host) ?? host;
  return `${bare.includes(":") ? `[${bare}]` : bare}:${port}`;
}
