import type net from "node:net";
import { Duplex } from "node:stream";

/** Type, version (2 bytes) and length (2 bytes) of a record (RFC 8446 §5.1). */
const HEADER_BYTES = 5;

/** Where a stream of TLS records stands. */
export interface RecordState {
  /** How much of a record's header has come; 0 within its content, and between two records. */
  headerBytes: number;
  /** How much of a record's content is still to come, as far as its header tells. */
  missingBytes: number;
}

/** Follows the records through the next bytes of a stream. */
export function followRecords(state: RecordState, bytes: Buffer): void {
  let at = 0;
  while (at < bytes.length) {
    if (state.headerBytes === 0 && state.missingBytes > 0) {
      const taken = Math.min(state.missingBytes, bytes.length - at);
      state.missingBytes -= taken;
      at += taken;
      continue;
    }
    const byte = bytes[at++] as number;
    state.headerBytes++;
    if (state.headerBytes === HEADER_BYTES - 1) state.missingBytes = byte << 8;
    if (state.headerBytes < HEADER_BYTES) continue;
    state.missingBytes |= byte;
    state.headerBytes = 0;
  }
}

/** Whether what has come ends within a record. */
export const isInsideRecord = ({ headerBytes, missingBytes }: RecordState): boolean =>
  headerBytes > 0 || missingBytes > 0;

/** A connected socket to run TLS over that knows where in the server's records it stands. */
export interface Tap {
  stream: Duplex;
  records: RecordState;
}

/**
 * Stands between a socket and TLS, which cannot say itself whether the connection ended within a record.
 * It costs a check about a tenth of its CPU time, so it is for those that need it. Destroying the stream destroys the socket.
 */
export function tapRecords(socket: net.Socket): Tap {
  const records: RecordState = { headerBytes: 0, missingBytes: 0 };
  const stream = new Duplex({
    read: () => void socket.resume(),
    write: (bytes: Buffer, _encoding, done) => void socket.write(bytes, done),
    final: (done) => void socket.end(done),
    destroy: (error, done) => {
      socket.destroy();
      done(error);
    },
  });
  socket.on("data", (bytes: Buffer) => {
    followRecords(records, bytes);
    if (!stream.push(bytes)) socket.pause();
  });
  socket.on("end", () => stream.push(null));
  socket.on("error", (error) => stream.destroy(error));
  return { stream, records };
}
