import dgram from "node:dgram";
import { isIP } from "node:net";
import type { ResolvedAddress } from "./address.ts";
import { findAddresses } from "./approved-addresses.ts";
import { type CheckEnvironment, type CheckOutcome, NO_PHASES } from "./check.ts";
import { endDeadline, startDeadline } from "./deadline.ts";
import { type Fault, guarded } from "./fault.ts";
import { isUntimed, type Reason, STOPPED, shownHost, socketFailed, timedOut } from "./reasons.ts";
import { newTrace, phasesOf, type Trace } from "./trace.ts";

/** What a check over UDP measures. */
export const DATAGRAM_PHASES = ["dns", "firstByte"] as const;

/** Parts of the timeout after which the question is asked again: datagrams get lost. */
const ASKED_AGAIN = [0.25, 0.5];

/** A question in one datagram. */
export interface DatagramQuestion {
  /** Name or IP literal, without brackets. */
  host: string;
  port: number;
  payload: Uint8Array;
  /** Why an answer is not the one hoped for, null when it is; `undefined`: it is none to this question. */
  judge(answer: Buffer, where: string): Reason | null | undefined;
  /** What to say when none came. */
  silent(where: string, timeoutMs: number): Reason;
}

type Measured = (typeof DATAGRAM_PHASES)[number];

interface State {
  question: DatagramQuestion;
  environment: CheckEnvironment;
  trace: Trace;
  startedMs: number;
  askedMs: number;
  where: string;
  /** Approved by the guard, and not known to fail. */
  addresses: readonly ResolvedAddress[];
  sockets: Map<string, dgram.Socket>;
  /** How often has been asked. */
  asked: number;
  timers: NodeJS.Timeout[];
  isOver: boolean;
  /** Ends the check; null: it passed. */
  end(reason: Reason | null): void;
  fault: Fault;
}

/**
 * Asks a question over UDP, up to three times, each time of the host's next address, and judges the first answer. Only
 * addresses that the guard approves are asked, and only theirs are heard.
 */
export function checkByDatagram(
  question: DatagramQuestion,
  environment: CheckEnvironment,
): Promise<CheckOutcome<Measured>> {
  return new Promise((resolve, reject) => {
    const startedMs = performance.now();
    const close = (): boolean => {
      if (state.isOver) return false;
      state.isOver = true;
      endDeadline(deadline);
      state.timers.forEach(clearTimeout);
      for (const socket of state.sockets.values()) socket.close();
      return true;
    };
    const state: State = {
      question,
      environment,
      trace: newTrace(),
      startedMs,
      askedMs: startedMs,
      where: shownHost(question.host),
      addresses: [],
      sockets: new Map(),
      asked: 0,
      timers: [],
      isOver: false,
      end: (reason) => {
        if (close()) resolve(outcomeOf(state, reason));
      },
      fault: (error) => {
        if (close()) reject(error);
      },
    };
    const late = () => state.end(lateReason(state));
    const deadline = startDeadline(environment, late, () => state.end(STOPPED), state.fault);
    if (environment.signal?.isStopped) state.end(STOPPED);
    else begin(state);
  });
}

const lateReason = ({ question, environment: { timeoutMs }, asked, where }: State): Reason =>
  asked > 0 ? question.silent(where, timeoutMs) : timedOut("dns", where, timeoutMs);

function begin(state: State): void {
  const { question, environment, trace, fault } = state;
  const { host } = question;
  const { network, resolveSinceMs, timeoutMs } = environment;
  const resolved = () => {
    trace.dnsMs = performance.now() - state.startedMs;
  };
  const again = guarded(fault, () => ask(state));
  findAddresses(
    { host, literal: isIP(host) !== 0, network, resolveSinceMs, fault },
    resolved,
    (addresses) => {
      if (state.isOver) return;
      state.addresses = addresses;
      ask(state);
      state.timers.push(...ASKED_AGAIN.map((part) => setTimeout(again, timeoutMs * part)));
    },
    state.end,
  );
}

function ask(state: State): void {
  const { question, trace, addresses } = state;
  const to = addresses[state.asked % addresses.length];
  if (state.isOver || to === undefined) return;
  state.asked += 1;
  state.askedMs = performance.now();
  state.where = whereOf(question, to);
  trace.address = to.address;
  const open = state.sockets.get(to.address);
  if (open === undefined) state.sockets.set(to.address, openSocket(state, to));
  else open.send(question.payload);
}

/** Connected, so that nobody else is heard, and a refusal is. */
function openSocket(state: State, to: ResolvedAddress): dgram.Socket {
  const { question, fault } = state;
  const socket = dgram.createSocket({
    type: to.family === 6 ? "udp6" : "udp4",
    lookup: (_name, _options, found) => found(null, to.address, to.family),
  });
  socket.on(
    "error",
    guarded(fault, (error: NodeJS.ErrnoException) => broken(state, to, error)),
  );
  socket.on(
    "message",
    guarded(fault, (answer: Buffer) => answered(state, to, answer)),
  );
  socket.once("connect", () => socket.send(question.payload));
  socket.connect(question.port, to.address);
  return socket;
}

function answered(state: State, from: ResolvedAddress, answer: Buffer): void {
  const { question, trace } = state;
  const where = whereOf(question, from);
  const reason = state.isOver ? undefined : question.judge(answer, where);
  if (reason === undefined) return;
  trace.firstByteMs = performance.now() - state.askedMs;
  trace.address = from.address;
  state.end(reason);
}

/** Another address may do; a host fails with what the last one says. */
function broken(state: State, from: ResolvedAddress, error: NodeJS.ErrnoException): void {
  if (state.isOver || !state.addresses.includes(from)) return;
  state.addresses = state.addresses.filter((address) => address !== from);
  if (state.addresses.length > 0) return ask(state);
  state.end(socketFailed(error, "connect", whereOf(state.question, from)));
}

function whereOf({ host, port }: DatagramQuestion, { address, family }: ResolvedAddress): string {
  const reached = family === 6 ? `[${address}]:${port}` : `${address}:${port}`;
  return isIP(host) === 0 ? `${shownHost(host)} (${reached})` : reached;
}

function outcomeOf({ trace, startedMs }: State, reason: Reason | null): CheckOutcome<Measured> {
  const phases = isUntimed(reason) ? NO_PHASES : phasesOf(trace, performance.now() - startedMs);
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
