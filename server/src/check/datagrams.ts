import dgram from "node:dgram";
import { isIP } from "node:net";
import type { ResolvedAddress } from "./address.ts";
import { type AddressOutcome, type AddressRun, type Asking, checkAddresses } from "./address-check.ts";
import type { CheckEnvironment } from "./check.ts";
import { guarded } from "./fault.ts";
import { type Reason, shownHost, socketFailed } from "./reasons.ts";

/** Parts of the timeout after which the question is asked again: datagrams get lost. */
const ASKED_AGAIN = [0.25, 0.5];

/** A question in one datagram. */
export interface DatagramQuestion {
  /** Name or IP literal, without brackets. */
  host: string;
  /** The host's, where they are not to be looked up: see checkAddresses. */
  addresses?: readonly ResolvedAddress[] | undefined;
  port: number;
  payload: Uint8Array;
  /** Why an answer is not the one hoped for, null when it is; `undefined`: it is none to this question. */
  judge(answer: Buffer, where: string): Reason | null | undefined;
  /** What to say when none came. */
  silent(where: string, timeoutMs: number): Reason;
}

interface State {
  question: DatagramQuestion;
  run: AddressRun;
  /** When each address was asked last. */
  askedMs: Map<string, number>;
  where: string;
  /** Not known to fail. */
  addresses: readonly ResolvedAddress[];
  sockets: Map<string, dgram.Socket>;
  /** How often has been asked. */
  asked: number;
}

/**
 * Asks a question over UDP, up to three times, each time of the host's next address, and judges the first answer. Only
 * addresses that the guard approves are asked, and only theirs are heard.
 */
export const checkByDatagram = (
  question: DatagramQuestion,
  environment: CheckEnvironment,
): Promise<AddressOutcome> =>
  checkAddresses(
    question.host,
    environment,
    (addresses, run) => begin(question, addresses, run),
    question.addresses,
  );

function begin(question: DatagramQuestion, addresses: readonly ResolvedAddress[], run: AddressRun): Asking {
  const { environment, fault } = run;
  const where = shownHost(question.host);
  const state: State = { question, run, askedMs: new Map(), where, addresses, sockets: new Map(), asked: 0 };
  ask(state);
  const again = guarded(fault, () => ask(state));
  const timers = ASKED_AGAIN.map((part) => setTimeout(again, environment.timeoutMs * part));
  return {
    late: (timeoutMs) => question.silent(state.where, timeoutMs),
    stop: () => {
      timers.forEach(clearTimeout);
      for (const socket of state.sockets.values()) socket.close();
    },
  };
}

function ask(state: State): void {
  const { question, run, addresses } = state;
  const to = addresses[state.asked % addresses.length];
  if (run.isOver() || to === undefined) return;
  state.asked += 1;
  state.askedMs.set(to.address, performance.now());
  state.where = whereOf(question, to);
  run.trace.address = to.address;
  const open = state.sockets.get(to.address);
  if (open === undefined) state.sockets.set(to.address, openSocket(state, to));
  else open.send(question.payload);
}

/** Connected, so that nobody else is heard, and a refusal is. */
function openSocket(state: State, to: ResolvedAddress): dgram.Socket {
  const { question, run } = state;
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
  socket.once("connect", () => socket.send(question.payload));
  socket.connect(question.port, to.address);
  return socket;
}

function answered({ question, run, askedMs }: State, from: ResolvedAddress, answer: Buffer): void {
  const reason = run.isOver() ? undefined : question.judge(answer, whereOf(question, from));
  if (reason === undefined) return;
  run.trace.firstByteMs = performance.now() - (askedMs.get(from.address) ?? performance.now());
  run.trace.address = from.address;
  run.end(reason);
}

/** Another address may do; a host fails with what the last one says. */
function broken(state: State, from: ResolvedAddress, error: NodeJS.ErrnoException): void {
  if (state.run.isOver() || !state.addresses.includes(from)) return;
  state.addresses = state.addresses.filter((address) => address !== from);
  if (state.addresses.length > 0) return ask(state);
  state.run.end(socketFailed(error, "connect", whereOf(state.question, from)));
}

function whereOf({ host, addresses, port }: DatagramQuestion, { address, family }: ResolvedAddress): string {
  const reached = family === 6 ? `[${address}]:${port}` : `${address}:${port}`;
  return isIP(host) === 0 && addresses === undefined ? `${shownHost(host)} (${reached})` : reached;
}
