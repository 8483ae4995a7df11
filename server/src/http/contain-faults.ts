import { AsyncLocalStorage } from "node:async_hooks";
import type { Socket } from "node:net";
import type { FastifyInstance } from "fastify";

/** The connection whose bytes led to what is running now. */
const causes = new AsyncLocalStorage<Socket | undefined>();

/** Exceptions that nothing was ready to catch, because they came out of an event or a timer. */
export interface Faults {
  /** Ends the connection that led to an exception; false where none did, and nobody can say what state the process is in. */
  contain(error: unknown): boolean;
  /** How many connections were ended, since the start. */
  count(): number;
}

/**
 * Lets an unexpected exception end the connection that it came from instead of the server (docs/adr/0077). What the bytes of
 * a connection lead to (requests, their promises, timers and streams) is followed by its async context; events of the
 * socket itself, which belong to no context, are caught where they are emitted.
 */
export function containFaults(app: FastifyInstance): Faults {
  let count = 0;
  const end = (socket: Socket, error: unknown) => {
    count += 1;
    app.log.error(
      { err: error, address: socket.remoteAddress ?? null },
      "A connection was closed after an unexpected exception",
    );
    socket.destroy();
  };
  const emit = app.server.emit.bind(app.server) as (...event: unknown[]) => boolean;
  app.server.emit = (...event: unknown[]) => {
    const [name, socket] = event as [string, Socket];
    if (name !== "connection") return emit(...event);
    guardEvents(socket, (error) => end(socket, error));
    return causes.run(socket, () => emit(...event));
  };
  return {
    contain(error) {
      const socket = causes.getStore();
      // The exception left the context open: what begins next would be taken for this connection's.
      causes.enterWith(undefined);
      if (socket) end(socket, error);
      return socket !== undefined;
    },
    count: () => count,
  };
}

function guardEvents(socket: Socket, onFault: (error: unknown) => void): void {
  const emit = socket.emit.bind(socket) as (...event: unknown[]) => boolean;
  socket.emit = (...event: unknown[]) => {
    try {
      return emit(...event);
    } catch (error) {
      onFault(error);
      return true;
    }
  };
}
