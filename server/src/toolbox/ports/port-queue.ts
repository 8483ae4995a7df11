import type { ResolvedAddress } from "../../check/address.ts";

/** What a scan does with each port. */
export interface ScanOrder {
  /** Approved by the guard. */
  to: ResolvedAddress;
  ports: readonly number[];
  /** For each port. */
  timeoutMs: number;
  signal: AbortSignal;
}

/** For whoever asks a port. */
export interface PortTurn {
  /** There is room for another port; called once for each that was begun. */
  end(): void;
  /** Has this port asked again, later, since the system has no room now; false when that was tried often enough. */
  putBack(): boolean;
}

/** Begins to ask a port. Gives what lets go of all that this uses. */
type Begin = (turn: PortTurn, port: number) => () => void;

interface Queue {
  order: ScanOrder;
  begin: Begin;
  /** The place of the next port. */
  at: number;
  returned: number[];
  returns: Map<number, number>;
  underWay: Map<number, () => void>;
  /** How many sockets the system lets it have, as far as is known. */
  room: number;
  pause: NodeJS.Timeout | undefined;
  over(error?: unknown): void;
}

/** Sockets that all scans of this thread have open together, and one of them alone. */
const MAX_SOCKETS = 2_000;
const MAX_SOCKETS_OF_SCAN = 1_000;
/** Even while others scan, or the system has little room. */
const MIN_SOCKETS = 20;
const MAX_RETURNS = 100;
const PAUSE_MS = 50;

let scans = 0;

/**
 * Asks as many ports at once as there is room for, scans sharing it evenly. Resolves when each has been asked; rejects
 * with the signal's reason as soon as that is given, with nothing left open.
 */
export async function runQueue(order: ScanOrder, begin: Begin): Promise<void> {
  const { signal } = order;
  signal.throwIfAborted();
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const queue: Queue = {
    ...{ order, begin, at: 0, returned: [], returns: new Map(), underWay: new Map() },
    room: MAX_SOCKETS_OF_SCAN,
    pause: undefined,
    over: (error) => (error === undefined ? resolve() : reject(error)),
  };
  const stop = () => {
    for (const letGo of queue.underWay.values()) letGo();
    queue.underWay.clear();
    queue.over(signal.reason);
  };
  signal.addEventListener("abort", stop);
  scans += 1;
  try {
    goOn(queue);
    await promise;
  } finally {
    scans -= 1;
    clearTimeout(queue.pause);
    signal.removeEventListener("abort", stop);
  }
}

function goOn(queue: Queue): void {
  const { order, underWay, returned } = queue;
  const { ports, signal } = order;
  if (signal.aborted) return;
  while (underWay.size < shareOf(queue) && queue.pause === undefined) {
    const port = queue.at < ports.length ? ports[queue.at++] : returned.pop();
    if (port === undefined) break;
    start(queue, port);
  }
  if (underWay.size === 0 && queue.at === ports.length && returned.length === 0) queue.over();
}

const shareOf = ({ room }: Queue): number =>
  Math.max(MIN_SOCKETS, Math.min(room, Math.floor(MAX_SOCKETS / scans)));

function start(queue: Queue, port: number): void {
  const turn: PortTurn = {
    end: () => {
      if (queue.underWay.delete(port)) goOn(queue);
    },
    putBack: () => putBack(queue, port),
  };
  queue.underWay.set(port, queue.begin(turn, port));
}

/** Fewer at once from now on, after a pause; then more again, little by little. */
function putBack(queue: Queue, port: number): boolean {
  const count = (queue.returns.get(port) ?? 0) + 1;
  if (count > MAX_RETURNS) return false;
  queue.returns.set(port, count);
  queue.returned.push(port);
  queue.room = Math.max(MIN_SOCKETS, Math.floor(Math.min(queue.room, queue.underWay.size) / 2));
  queue.pause ??= setTimeout(() => {
    queue.pause = undefined;
    queue.room = Math.min(MAX_SOCKETS_OF_SCAN, Math.ceil(queue.room * 1.2));
    goOn(queue);
  }, PAUSE_MS);
  return true;
}
