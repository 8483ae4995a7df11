import dgram from "node:dgram";
import { isIP } from "node:net";
import type { Duplex } from "node:stream";
import type { ResolvedAddress } from "./address.ts";
import {
  type AddressOutcome,
  type AddressRun,
  checkAddresses,
  type OngoingExchange,
} from "./address-check.ts";
import {
  type CheckEnvironment,
  type CheckOutcome,
  NO_PHASES,
  newTrace,
  phasesOf,
  type Trace,
} from "./check.ts";
import { endDeadline, startDeadline } from "./deadline.ts";
import { type Connection, type DialOptions, dial, hangUp, newConnection } from "./dial.ts";
import { type Dialogue, startDialogue } from "./dialogue.ts";
import { DialogueError } from "./dialogue-error.ts";
import { type Fault, guarded } from "./fault.ts";
import { isUntimed, type Reason, STOPPED, shownHost, socketFailed, timedOut } from "./reasons.ts";

/** Parts of the timeout after which the request is sent again: datagrams get lost. */
const RESENT_AFTER = [0.25, 0.5];

/** A request in one datagram. */
export interface DatagramRequest {
  /** Name or IP literal, without brackets. */
  host: string;
  /** The host's, where they are not to be looked up: see checkAddresses. */
  addresses?: readonly ResolvedAddress[] | undefined;
  port: number;
  payload: Uint8Array;
  /** Why an answer is not the one hoped for, null when it is; `undefined`: it is none to this question. */
  evaluate(answer: Buffer, where: string): Reason | null | undefined;
  /** What to say when none came. */
  silent(where: string, timeoutMs: number): Reason;
}

interface State {
  request: DatagramRequest;
  run: AddressRun;
  /** When each address was sent it last. */
  sentMs: Map<string, number>;
  where: string;
  /** Not known to fail. */
  addresses: readonly ResolvedAddress[];
  sockets: Map<string, dgram.Socket>;
  /** How often it was sent. */
  sentCount: number;
}

/**
 * Asks a question over UDP, up to three times, each time of the host's next address, and judges the first answer. Only
 * addresses that the guard approves are asked, and only theirs are heard.
 */
export const checkByDatagram = (
  request: DatagramRequest,
  environment: CheckEnvironment,
): Promise<AddressOutcome> =>
  checkAddresses(
    request.host,
    environment,
    (addresses, run) => begin(request, addresses, run),
    request.addresses,
  );

function begin(
  request: DatagramRequest,
  addresses: readonly ResolvedAddress[],
  run: AddressRun,
): OngoingExchange {
  const { environment, fault } = run;
  const where = shownHost(request.host);
  const state: State = {
    request,
    run,
    sentMs: new Map(),
    where,
    addresses,
    sockets: new Map(),
    sentCount: 0,
  };
  sendRequest(state);
  const again = guarded(fault, () => sendRequest(state));
  const timers = RESENT_AFTER.map((part) => setTimeout(again, environment.timeoutMs * part));
  return {
    late: (timeoutMs) => request.silent(state.where, timeoutMs),
    stop: () => {
      timers.forEach(clearTimeout);
      for (const socket of state.sockets.values()) socket.close();
    },
  };
}

function sendRequest(state: State): void {
  const { request, run, addresses } = state;
  const to = addresses[state.sentCount % addresses.length];
  if (run.isOver() || to === undefined) return;
  state.sentCount += 1;
  state.sentMs.set(to.address, performance.now());
  state.where = whereOf(request, to);
  run.trace.address = to.address;
  const open = state.sockets.get(to.address);
  if (open === undefined) state.sockets.set(to.address, openSocket(state, to));
  else open.send(request.payload);
}

/** Connected, so that nobody else is heard, and a refusal is. */
function openSocket(state: State, to: ResolvedAddress): dgram.Socket {
  const { request, run } = state;
  const socket = dgram.createSocket({
    type: to.family === 6 ? "udp6" : "udp4",
    // Asked for the address to bind to as well. There are no names.
    lookup: (address, _options, found) => found(null, address, to.family),
  });
  socket.on(
    "error",
    guarded(run.fault, (error: NodeJS.ErrnoException) => broken(state, to, error)),
  );
  socket.on(
    "message",
    guarded(run.fault, (answer: Buffer) => answered(state, to, answer)),
  );
  socket.once("connect", () => socket.send(request.payload));
  socket.connect(request.port, to.address);
  return socket;
}

function answered({ request, run, sentMs }: State, from: ResolvedAddress, answer: Buffer): void {
  const reason = run.isOver() ? undefined : request.evaluate(answer, whereOf(request, from));
  if (reason === undefined) return;
  run.trace.firstByteMs = performance.now() - (sentMs.get(from.address) ?? performance.now());
  run.trace.address = from.address;
  run.end(reason);
}

/** Another address may do; a host fails with what the last one says. */
function broken(state: State, from: ResolvedAddress, error: NodeJS.ErrnoException): void {
  if (state.run.isOver() || !state.addresses.includes(from)) return;
  state.addresses = state.addresses.filter((address) => address !== from);
  if (state.addresses.length > 0) return sendRequest(state);
  state.run.end(socketFailed(error, "connect", whereOf(state.request, from)));
}

function whereOf({ host, addresses, port }: DatagramRequest, { address, family }: ResolvedAddress): string {
  const reached = family === 6 ? `[${address}]:${port}` : `${address}:${port}`;
  return isIP(host) === 0 && addresses === undefined ? `${shownHost(host)} (${reached})` : reached;
}

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
interface Exchange {
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

/** What belongs to a protocol: saying, hearing, and being content with it. */
export type Talk = (dialogue: Dialogue) => Promise<void>;

/**
 * A check that is a dialogue: it passes when `talk` does; a DialogueError is its reason for failing, in which none of
 * `secrets` is quoted.
 */
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
