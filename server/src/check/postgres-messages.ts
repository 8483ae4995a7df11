import type { Admission } from "./driver-stream.ts";

/** A message's type, and its length, which counts itself (PostgreSQL protocol, message formats). */
const HEADER_BYTES = 5;
const [ERROR, NOTICE] = [0x45, 0x4e];

/**
 * Lets whole messages through, and none that keeps pg-protocol busy for ever: it looks for the end of an error's or
 * notice's fields without minding that of the message.
 */
export function admitMessages(): Admission {
  let held: Buffer[] = [];
  let heldBytes = 0;
  let neededBytes = HEADER_BYTES;
  return (bytes) => {
    held.push(bytes);
    heldBytes += bytes.length;
    if (heldBytes < neededBytes) return Buffer.alloc(0);
    const all = Buffer.concat(held);
    let at = 0;
    for (neededBytes = HEADER_BYTES; at + neededBytes <= all.length; neededBytes = HEADER_BYTES) {
      const length = all.readUInt32BE(at + 1);
      if (length < 4) return null;
      neededBytes = 1 + length;
      if (at + neededBytes > all.length) break;
      const message = all.subarray(at, at + neededBytes);
      if ((message[0] === ERROR || message[0] === NOTICE) && !hasEnd(message)) return null;
      at += neededBytes;
    }
    held = [all.subarray(at)];
    heldBytes = all.length - at;
    return all.subarray(0, at);
  };
}

/** Whether the fields end within the message: a zero where the next field's type would be. */
const hasEnd = (message: Buffer): boolean =>
  message.at(-1) === 0 && (message.length === HEADER_BYTES + 1 || message.at(-2) === 0);
