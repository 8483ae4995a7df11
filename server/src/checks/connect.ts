import type net from "node:net";
import type { ResolvedAddress } from "../platform/formats/host.ts";
import { type Fault, guarded } from "./deadline.ts";

/** How long an attempt goes on alone before the next address is tried as well (RFC 8305 §5). */
const STAGGER_MS = 250;

/** Exactly one of `socket` and `error`; `address` is the one that was connected to, or failed last. */
export type Connected = (error: Error | null, socket: net.Socket | null, address: ResolvedAddress) => void;

/**
 * Happy eyeballs (RFC 8305): families take turns, the next attempt starts when one fails or after 250 ms, the
 * losers are destroyed. `late` joins the race. `fault` takes what these functions, or `late`, throw later.
 * Returns a function that gives up.
 */
export function connectFirst(
  addresses: readonly ResolvedAddress[],
  late: Promise<readonly ResolvedAddress[]> | null,
  open: (address: ResolvedAddress) => net.Socket,
  done: Connected,
  fault: Fault,
): () => void {
  const [only] = addresses;
  if (only === undefined) throw new Error("connectFirst needs an address");
  if (addresses.length === 1 && late === null) return connectOne(only, open, done, fault);
  return race(addresses, late, open, done, fault);
}

function connectOne(
  address: ResolvedAddress,
  open: (address: ResolvedAddress) => net.Socket,
  done: Connected,
  fault: Fault,
): () => void {
  const socket = open(address);
  let isFinished = false;
  const finishOnce = guarded(fault, (error: Error | null) => {
    if (isFinished) return;
    isFinished = true;
    done(error, error === null ? socket : null, address);
  });
  socket.once("connect", () => finishOnce(null));
  socket.on("error", finishOnce);
  return () => {
    isFinished = true;
    socket.destroy();
  };
}

interface Race {
  open(address: ResolvedAddress): net.Socket;
  done: Connected;
  fault: Fault;
  queue: ResolvedAddress[];
  running: Set<net.Socket>;
  /** Whether more addresses may come. */
  isAwaiting: boolean;
  isFinished: boolean;
  timer: NodeJS.Timeout | undefined;
  /** When the next attempt begins beside the running ones; `performance.now`. */
  nextAtMs: number;
  failure: Failure | null;
}

function race(
  addresses: readonly ResolvedAddress[],
  late: Promise<readonly ResolvedAddress[]> | null,
  open: (address: ResolvedAddress) => net.Socket,
  done: Connected,
  fault: Fault,
): () => void {
  const all: Race = {
    open,
    done,
    fault,
    queue: interleave(addresses),
    running: new Set(),
    isAwaiting: late !== null,
    isFinished: false,
    timer: undefined,
    nextAtMs: 0,
    failure: null,
  };
  const join = guarded(fault, (more: readonly ResolvedAddress[]) => {
    all.isAwaiting = false;
    if (all.isFinished) return;
    all.queue = interleave([...more, ...all.queue]);
    if (all.running.size > 0) plan(all);
    else goOn(all);
  });
  late?.then(join, fault);
  attempt(all);
  return () => finish(all, null);
}

function finish(all: Race, winner: net.Socket | null): void {
  all.isFinished = true;
  clearTimeout(all.timer);
  for (const socket of all.running) if (socket !== winner) socket.destroy();
}

function plan(all: Race): void {
  clearTimeout(all.timer);
  if (all.queue.length > 0)
    all.timer = setTimeout(guarded(all.fault, attempt), all.nextAtMs - performance.now(), all);
}

function attempt(all: Race): void {
  const address = all.queue.shift();
  if (address === undefined) return;
  const socket = all.open(address);
  all.running.add(socket);
  all.nextAtMs = performance.now() + STAGGER_MS;
  plan(all);
  const connected = () => {
    if (all.isFinished) return;
    finish(all, socket);
    all.done(null, socket, address);
  };
  const failed = (error: Error) => {
    all.running.delete(socket);
    if (all.isFinished) return;
    all.failure = moreTelling(all.failure, { error, address });
    goOn(all);
  };
  socket.once("connect", guarded(all.fault, connected));
  socket.on("error", guarded(all.fault, failed));
}

/** After a failure, or when no more addresses are to come. */
function goOn(all: Race): void {
  if (all.queue.length > 0) return attempt(all);
  if (all.running.size > 0 || all.isAwaiting || all.failure === null) return;
  finish(all, null);
  all.done(all.failure.error, null, all.failure.address);
}

interface Failure {
  error: NodeJS.ErrnoException;
  address: ResolvedAddress;
}

/** "No route" to one address says less about a host than what happened at another. */
const NO_WAY = new Set(["ENETUNREACH", "EHOSTUNREACH", "EADDRNOTAVAIL", "EAFNOSUPPORT", "EINVAL"]);

/** The later of two failures, unless there was merely no route to its address. */
function moreTelling(earlier: Failure | null, later: Failure): Failure {
  const isMute = ({ error }: Failure) => NO_WAY.has(error.code ?? "");
  return earlier === null || !isMute(later) || isMute(earlier) ? later : earlier;
}

/** The families in turn, beginning with that of the first address; the order within a family stays. */
export function interleave(addresses: readonly ResolvedAddress[]): ResolvedAddress[] {
  const first = addresses.filter(({ family }) => family === addresses[0]?.family);
  const second = addresses.filter(({ family }) => family !== addresses[0]?.family);
  const mixed: ResolvedAddress[] = [];
  for (let index = 0; index < Math.max(first.length, second.length); index++) {
    for (const address of [first[index], second[index]]) if (address !== undefined) mixed.push(address);
  }
  return mixed;
}
