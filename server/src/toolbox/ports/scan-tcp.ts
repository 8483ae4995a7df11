import net from "node:net";
import type { ResolvedAddress } from "../../check/address.ts";
import { type PortTurn, runQueue, type ScanOrder } from "./port-queue.ts";

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
  const settle = (seen: PortState) => {
    if (state !== null) return;
    state = seen;
    clearTimeout(timer);
    done(port, seen);
    socket.destroy();
  };
  const timer = setTimeout(settle, timeoutMs, "silent");
  socket.once("connect", () => settle(isItself(socket, to, port) ? "closed" : "open"));
  socket.on("error", ({ code = "" }: NodeJS.ErrnoException) => {
    if (state === null && NO_ROOM.has(code) && turn.putBack()) {
      state = "silent";
      return clearTimeout(timer);
    }
    settle(code === "ECONNREFUSED" || code === "ECONNRESET" ? "closed" : "silent");
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

/** A port of this machine that nobody listens on, and that the connection to it was given as its own (RFC 9293 §3.5). */
const isItself = ({ localAddress, localPort }: net.Socket, { address }: ResolvedAddress, port: number) =>
  localPort === port && localAddress === address;
