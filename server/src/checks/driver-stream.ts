import { Duplex } from "node:stream";
import { msg } from "../platform/i18n/message.ts";
import type { Connection } from "./dial.ts";
import { DialogueError, hungUp, type Reason, socketFailed } from "./reasons.ts";

/** How much of what a server says is read for a driver, in one check. */
const MAX_DRIVER_BYTES = 262_144;

/** What of the received bytes the driver may see now; the rest follows later. Null: it must not see any of that. */
export type Admission = (bytes: Buffer) => Buffer | null;

interface SocketLike extends Duplex {
  connect(): this;
  setNoDelay(): this;
  setKeepAlive(): this;
  setTimeout(): this;
  ref(): this;
  unref(): this;
}

/**
 * For third-party drivers: connects to nothing itself, and reads a bounded number of bytes. Destroyed with a
 * DialogueError that says what became of the connection, or with what the driver throws while reading. Times
 * go to the trace.
 */
export function driverStream(connection: Connection, socket: Duplex, admit: Admission): SocketLike {
  const { where } = connection;
  connection.stage = "answer";
  connection.since = performance.now();
  const stream = new Duplex({
    read: () => void socket.resume(),
    write: (chunk, encoding, done) => void socket.write(chunk, encoding, done),
    final: (done) => void socket.end(done),
    destroy: (error, done) => {
      socket.destroy();
      done(error);
    },
  });
  const fail = (reason: Reason) => void stream.destroy(new DialogueError(reason));
  let leftBytes = MAX_DRIVER_BYTES;
  socket.on("data", (bytes: Buffer) => {
    measure(connection);
    leftBytes -= bytes.length;
    if (leftBytes < 0) return fail(msg("protocol.size", { where, size: MAX_DRIVER_BYTES / 1024 }));
    const known = admit(bytes);
    if (known === null) return fail(msg("protocol.broken", { where }));
    if (known.length > 0 && !stream.push(known)) socket.pause();
  });
  socket.on("end", () => fail(hungUp("answer", where)));
  socket.on("close", () => fail(hungUp("answer", where)));
  socket.on("error", (error) => fail(socketFailed(error, "answer", where)));
  // Without a listener of its own an error would end the thread.
  stream.on("error", () => {});
  return Object.assign(stream, {
    on: (event: string, listener: (...given: unknown[]) => void) => {
      const taken =
        event === "data" ? unlessItThrows(listener, () => fail(msg("protocol.broken", { where }))) : listener;
      return Duplex.prototype.on.call(stream, event, taken);
    },
    connect: () => {
      process.nextTick(() => stream.emit("connect"));
      return stream;
    },
    ...Object.fromEntries(
      ["setNoDelay", "setKeepAlive", "setTimeout", "ref", "unref"].map((name) => [name, () => stream]),
    ),
  }) as unknown as SocketLike;
}

/** First the answer's first byte, then how long the rest took. */
function measure(connection: Connection): void {
  const { trace } = connection.options;
  const now = performance.now();
  if (trace.firstByteMs === null) trace.firstByteMs = now - connection.since;
  else trace.transferMs = (trace.transferMs ?? 0) + now - connection.since;
  connection.since = now;
}

function unlessItThrows(listener: (...given: unknown[]) => void, fail: () => void) {
  return (...given: unknown[]) => {
    try {
      listener(...given);
    } catch {
      fail();
    }
  };
}
