import dgram from "node:dgram";
import { probeFor } from "./datagram-probes.ts";
import { type PortTurn, runQueue, type ScanOrder } from "./port-queue.ts";
import type { PortState } from "./scan-tcp.ts";

const NO_ROOM = new Set(["EMFILE", "ENFILE", "ENOBUFS", "EAGAIN"]);

/**
 * Sends each port a datagram, a question of its protocol where the port has one: nothing else answers. A port is open
 * when it answers, closed when its machine says so, and silent otherwise, which says nothing. Calls `done` for each, with
 * what was answered; rejects with the signal's reason.
 */
export const scanUdp = (
  order: ScanOrder,
  done: (port: number, state: PortState, answer: Buffer | null) => void,
): Promise<void> => runQueue(order, (turn, port) => askOnce(turn, order, port, done));

function askOnce(
  turn: PortTurn,
  { to, timeoutMs }: ScanOrder,
  port: number,
  done: (port: number, state: PortState, answer: Buffer | null) => void,
): () => void {
  const socket = dgram.createSocket({
    type: to.family === 6 ? "udp6" : "udp4",
    // Asked for the address to bind to as well. There are no names.
    lookup: (address, _options, found) => found(null, address, to.family),
  });
  const probe = probeFor(port);
  let isSettled = false;
  const close = () => {
    clearTimeout(again);
    clearTimeout(timer);
    socket.close();
  };
  const settle = (state: PortState, answer: Buffer | null = null) => {
    if (isSettled) return;
    isSettled = true;
    close();
    done(port, state, answer);
  };
  const send = () => socket.send(probe);
  // Datagrams get lost.
  const again = setTimeout(send, timeoutMs / 2);
  const timer = setTimeout(settle, timeoutMs, "silent");
  socket.once("connect", send);
  socket.once("message", (answer) => settle("open", answer));
  socket.on("error", ({ code = "" }: NodeJS.ErrnoException) => {
    if (!isSettled && NO_ROOM.has(code) && turn.putBack()) {
      isSettled = true;
      return close();
    }
    settle(code === "ECONNREFUSED" ? "closed" : "silent");
  });
  socket.once("close", turn.end);
  socket.connect(port, to.address);
  return () => {
    if (!isSettled) close();
    isSettled = true;
  };
}
