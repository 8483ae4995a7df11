import { randomInt } from "node:crypto";
import net from "node:net";
import dnsPacket from "dns-packet";
import type { ResolvedAddress } from "../../../platform/formats/host.ts";

export interface ScanOrder {
  /** Approved by the guard. */
  to: ResolvedAddress;
  ports: readonly number[];
  /** For each port. */
  timeoutMs: number;
  signal: AbortSignal;
}

export interface PortTurn {
  /** There is room for another port; called once for each that was begun. */
  end(): void;
  /** Has this port probed again, later, since the system has no room now; false when that was tried often enough. */
  putBack(): boolean;
}

/** Starts to probe a port. Returns a function that releases all that this uses. */
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
 * As many ports at once as there is room for, shared evenly by scans. Rejects with the signal's reason at
 * once, with nothing left open.
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

/** What a port said. `silent`: nothing, or that there is no way to it. */
export type PortState = "open" | "closed" | "silent";

/** The system has no room for another connection now. */
const NO_ROOM = new Set(["EMFILE", "ENFILE", "EADDRNOTAVAIL", "ENOBUFS"]);

/** Connects to each port, and lets go at once. Calls `done` for each; rejects with the signal's reason. */
export const scanTcp = (order: ScanOrder, done: (port: number, state: PortState) => void): Promise<void> =>
  runQueue(order, (turn, port) => connectOnce(turn, order, port, done));

function connectOnce(
  turn: PortTurn,
  { to, timeoutMs }: ScanOrder,
  port: number,
  done: (port: number, state: PortState) => void,
): () => void {
  const socket = new net.Socket();
  let state: PortState | null = null;
  const finish = (seen: PortState) => {
    if (state !== null) return;
    state = seen;
    clearTimeout(timer);
    done(port, seen);
    socket.destroy();
  };
  const timer = setTimeout(finish, timeoutMs, "silent");
  socket.once("connect", () => finish(isItself(socket, to, port) ? "closed" : "open"));
  socket.on("error", ({ code = "" }: NodeJS.ErrnoException) => {
    if (state === null && NO_ROOM.has(code) && turn.putBack()) {
      state = "silent";
      return clearTimeout(timer);
    }
    finish(code === "ECONNREFUSED" || code === "ECONNRESET" ? "closed" : "silent");
  });
  // Only then is there room for the next one.
  socket.once("close", turn.end);
  socket.connect({ host: to.address, port, family: to.family, autoSelectFamily: false });
  return () => {
    state ??= "silent";
    clearTimeout(timer);
    socket.destroy();
  };
}

/** A port of this machine without a listener, and that the connection to it was given as its own (RFC 9293 §3.5). */
const isItself = ({ localAddress, localPort }: net.Socket, { address }: ResolvedAddress, port: number) =>
  localPort === port && localAddress === address;

/** `00 1b…`: version 3, client (RFC 5905 §7.3; older servers answer that as well). */
const NTP_LENGTH = 48;
const NTP_CLIENT = 0x1b;

/** A request for sysDescr.0 by SNMPv2c with the community `public` (RFC 3416 §4.2.1), in BER. */
const SNMP = Buffer.from(
  "302902010104067075626c6963a01c020400000001020100020100300e300c06082b060102010101000500",
  "hex",
);

/** Requests that a server of the port's protocol answers. */
const PROBES: Readonly<Record<number, () => Buffer>> = {
  53: () =>
    dnsPacket.encode({
      type: "query",
      id: randomInt(65_536),
      flags: dnsPacket.RECURSION_DESIRED,
      questions: [{ type: "NS", name: "." }],
    }),
  123: () => {
    const packet = Buffer.alloc(NTP_LENGTH);
    packet[0] = NTP_CLIENT;
    return packet;
  },
  161: () => SNMP,
};

const NOTHING = Buffer.alloc(0);

/** What to send to a port; an empty datagram where its protocol is not known. */
export const probeFor = (port: number): Buffer => PROBES[port]?.() ?? NOTHING;
