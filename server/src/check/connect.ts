import type net from "node:net";
import type { ResolvedAddress } from "./resolve.ts";

/** How long an attempt goes on alone before the next address is tried as well (RFC 8305 §5). */
const STAGGER_MS = 250;

/** Exactly one of `socket` and `error`; `address` is the one that was connected to, or failed last. */
export type Connected = (error: Error | null, socket: net.Socket | null, address: ResolvedAddress) => void;

/**
 * Connects to the first address that accepts (happy eyeballs, RFC 8305): families take turns, the
 * next attempt starts when one fails or after 250 ms, the losers are destroyed. `open` makes a
 * connecting socket for an address that the guard has approved. Returns a function that gives up.
 */
export function connectFirst(
  addresses: readonly ResolvedAddress[],
  open: (address: ResolvedAddress) => net.Socket,
  done: Connected,
): () => void {
  const [only] = addresses;
  if (only === undefined) throw new Error("connectFirst needs an address");
  return addresses.length === 1 ? connectOne(only, open, done) : race(interleave(addresses), open, done);
}

function connectOne(
  address: ResolvedAddress,
  open: (address: ResolvedAddress) => net.Socket,
  done: Connected,
): () => void {
  const socket = open(address);
  let settled = false;
  socket.once("connect", () => {
    if (settled) return;
    settled = true;
    done(null, socket, address);
  });
  socket.on("error", (error) => {
    if (settled) return;
    settled = true;
    done(error, null, address);
  });
  return () => {
    settled = true;
    socket.destroy();
  };
}

function race(
  queue: ResolvedAddress[],
  open: (address: ResolvedAddress) => net.Socket,
  done: Connected,
): () => void {
  const running = new Set<net.Socket>();
  let settled = false;
  let timer: NodeJS.Timeout | undefined;
  const settle = (winner: net.Socket | null) => {
    settled = true;
    clearTimeout(timer);
    for (const socket of running) if (socket !== winner) socket.destroy();
  };
  const next = () => {
    clearTimeout(timer);
    const address = queue.shift();
    if (address === undefined) return;
    const socket = open(address);
    running.add(socket);
    if (queue.length > 0) timer = setTimeout(next, STAGGER_MS);
    socket.once("connect", () => {
      if (settled) return;
      settle(socket);
      done(null, socket, address);
    });
    socket.on("error", (error) => {
      running.delete(socket);
      if (settled) return;
      if (queue.length > 0) return next();
      if (running.size > 0) return;
      settle(null);
      done(error, null, address);
    });
  };
  next();
  return () => settle(null);
}

/** The families in turn, beginning with that of the first address; order within a family is kept. */
export function interleave(addresses: readonly ResolvedAddress[]): ResolvedAddress[] {
  const first = addresses.filter(({ family }) => family === addresses[0]?.family);
  const second = addresses.filter(({ family }) => family !== addresses[0]?.family);
  const mixed: ResolvedAddress[] = [];
  for (let index = 0; index < Math.max(first.length, second.length); index++) {
    for (const address of [first[index], second[index]]) if (address !== undefined) mixed.push(address);
  }
  return mixed;
}
