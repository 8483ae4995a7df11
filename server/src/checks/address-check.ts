import dgram from "node:dgram";
import { isIP } from "node:net";
import type { ResolvedAddress } from "../platform/formats/host.ts";
import {
  type CheckEnvironment,
  type CheckOutcome,
  NO_PHASES,
  newTrace,
  phasesOf,
  type Trace,
} from "./check.ts";
import { endDeadline, type Fault, guarded, startDeadline } from "./deadline.ts";
import { findAddresses } from "./network.ts";
import { isUntimed, type Reason, STOPPED, shownHost, socketFailed, timedOut } from "./reasons.ts";

export const ADDRESS_PHASES = ["dns", "firstByte"] as const;
export type AddressOutcome = CheckOutcome<(typeof ADDRESS_PHASES)[number]>;

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

export interface OngoingExchange {
  /** What to say when the time is up. */
  late(timeoutMs: number): Reason;
  stop(): void;
}

/**
 * Resolves, lets the guard check every address, and `start` do the rest, until deadline or stop signal.
 * Rejects
 * with what is thrown. `known`: addresses of the machine's own configuration, contacted as they are.
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

/** Parts of the timeout after which the request is sent again: datagrams get lost. */
const RESENT_AFTER = [0.25, 0.5];

export interface DatagramRequest {
  /** Name or IP literal, without brackets. */
  host: string;
  /** The host's, where they are not to be looked up: see checkAddresses. */
  addresses?: readonly ResolvedAddress[] | undefined;
  port: number;
  payload: Uint8Array;
  /** Why an answer is not the one hoped for, null when it is; `undefined`: it answers another request. */
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
 * Over UDP, up to three times, each to the host's next address. Only approved addresses are contacted, and
 * only their answers are read.
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

/** Connected, so that only this peer's datagrams arrive, and its refusals. */
function openSocket(state: State, to: ResolvedAddress): dgram.Socket {
  const { request, run } = state;
  const socket = dgram.createSocket({
    type: to.family === 6 ? "udp6" : "udp4",
    // Also called for the address to bind to. There are no names.
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
