import zlib from "node:zlib";

/** The table of the polynomial 0xEDB88320, for 256 values of a byte. */
const table = () =>
  Int32Array.from({ length: 256 }, (_, byte) => {
    let value = byte;
    for (let bit = 0; bit < 8; bit += 1) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
    return value;
  });

/** CRC-32 as gzip has it (RFC 1952), going on from `sum`. Node before 20.15, on which the agent runs, has none of its own. */
const crc32: (bytes: Uint8Array, sum?: number) => number = zlib.crc32 ?? ownCrc32(table());

function ownCrc32(values: Int32Array) {
  return (bytes: Uint8Array, sum = 0): number => {
    let value = ~sum;
    for (const byte of bytes) value = (value >>> 8) ^ (values[(value ^ byte) & 0xff] as number);
    return ~value >>> 0;
  };
}

/**
 * Framing of the disk queue. A record is a header of 24 bytes (big endian) and a payload:
 * magic u32, sequence f64, count of results u32, payload length u32, CRC-32 of all but magic and
 * itself u32. The magic lets a reader find the next record behind a damaged one.
 */
const MAGIC = 0x56_51_31_0a;
const MAGIC_BYTES = Buffer.from([0x56, 0x51, 0x31, 0x0a]);
export const HEADER_BYTES = 24;

export interface QueueRecord {
  sequence: number;
  /** Results in the payload. 0: a mark, which says that everything up to `sequence` was acknowledged. */
  count: number;
  payload: string;
}

export function encodeRecord({ sequence, count, payload }: QueueRecord): Buffer {
  const length = Buffer.byteLength(payload);
  const bytes = Buffer.allocUnsafe(HEADER_BYTES + length);
  bytes.writeUInt32BE(MAGIC, 0);
  bytes.writeDoubleBE(sequence, 4);
  bytes.writeUInt32BE(count, 12);
  bytes.writeUInt32BE(length, 16);
  bytes.write(payload, HEADER_BYTES);
  bytes.writeUInt32BE(checksum(bytes, 0, length), 20);
  return bytes;
}

function checksum(bytes: Buffer, at: number, length: number): number {
  const header = crc32(bytes.subarray(at + 4, at + 20));
  return crc32(bytes.subarray(at + HEADER_BYTES, at + HEADER_BYTES + length), header);
}

/** Where a record is, without its payload decoded. */
interface Frame {
  at: number;
  end: number;
}

/** What may begin at `at`, its checksum not looked at yet. */
function frameAt(bytes: Buffer, at: number): Frame | null {
  if (at + HEADER_BYTES > bytes.length || bytes.readUInt32BE(at) !== MAGIC) return null;
  const end = at + HEADER_BYTES + bytes.readUInt32BE(at + 16);
  return end > bytes.length ? null : { at, end };
}

const isWhole = (bytes: Buffer, { at, end }: Frame): boolean =>
  bytes.readUInt32BE(at + 20) === checksum(bytes, at, end - at - HEADER_BYTES);

/** How many times as many bytes may be summed in vain as there are; then long frames are passed over unseen. */
const MAX_SUMMED = 8;

/** The first whole record at or after `from`: `at` is behind `from` when bytes had to be passed over. */
export function findRecord(bytes: Buffer, from: number): (Frame & QueueRecord) | null {
  let budget = MAX_SUMMED * bytes.length;
  for (let at = from; at >= 0; at = bytes.indexOf(MAGIC_BYTES, at + 1)) {
    const frame = frameAt(bytes, at);
    if (!frame || frame.end - at > budget) continue;
    if (!isWhole(bytes, frame)) {
      budget -= frame.end - at;
      continue;
    }
    const payload = bytes.toString("utf8", at + HEADER_BYTES, frame.end);
    return { ...frame, sequence: bytes.readDoubleBE(at + 4), count: bytes.readUInt32BE(at + 12), payload };
  }
  return null;
}
