import {
  closeSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  rmSync,
  truncateSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
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

const SUFFIX = ".segment";
const NAME_DIGITS = 16;

/** One file of the disk queue: records whose sequences are at least the number in its name. */
export interface Segment {
  file: string;
  /** Bytes up to the end of the last whole record. */
  size: number;
  lastSequence: number;
  /** Results in it that were not handed out yet. */
  waiting: number;
}

/** A segment as found on disk. */
interface FoundSegment {
  segment: Segment;
  /** The highest mark in it; everything up to there was acknowledged. */
  acknowledged: number;
  /** Places where bytes had to be passed over, the torn end of the newest file not counted. */
  damaged: number;
}

/** Every segment of the folder, oldest first. A record torn by a crash at the end of the newest is cut off. */
export function findSegments(folder: string): FoundSegment[] {
  mkdirSync(folder, { recursive: true });
  const files = readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(SUFFIX))
    .map((entry) => join(folder, entry.name))
    .sort();
  return files.map((file, index) => inspect(file, index === files.length - 1));
}

function inspect(file: string, isNewest: boolean): FoundSegment {
  const bytes = readBytes(file, 0);
  const segment: Segment = { file, size: 0, lastSequence: 0, waiting: 0 };
  const found: FoundSegment = { segment, acknowledged: 0, damaged: 0 };
  for (let record = findRecord(bytes, 0); record; record = findRecord(bytes, segment.size)) {
    if (record.at > segment.size) found.damaged += 1;
    segment.size = record.end;
    segment.lastSequence = record.sequence;
    segment.waiting += record.count;
    if (record.count === 0) found.acknowledged = record.sequence;
  }
  if (segment.size < bytes.length) {
    if (isNewest) truncateSync(file, segment.size);
    else found.damaged += 1;
  }
  return found;
}

/** The bytes of a file from `from` to its end, or to `to`. */
export function readBytes(file: string, from: number, to = Number.POSITIVE_INFINITY): Buffer {
  const descriptor = openSync(file, "r");
  try {
    const chunks: Buffer[] = [];
    for (let at = from; at < to; ) {
      const chunk = Buffer.allocUnsafe(Math.min(to - at, 1 << 20));
      const length = readSync(descriptor, chunk, 0, chunk.length, at);
      if (length === 0) break;
      chunks.push(chunk.subarray(0, length));
      at += length;
    }
    return chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks);
  } finally {
    closeSync(descriptor);
  }
}

/** The segment that is written to. */
export interface OpenSegment extends Segment {
  descriptor: number;
}

/** Starts a segment with a mark, so that sequences go on where they were even if it stays empty. */
export function createSegment(folder: string, nextSequence: number, acknowledged: number): OpenSegment {
  mkdirSync(folder, { recursive: true });
  const file = join(folder, `${String(nextSequence).padStart(NAME_DIGITS, "0")}${SUFFIX}`);
  const descriptor = openSync(file, "w");
  const segment = { file, size: 0, lastSequence: nextSequence - 1, waiting: 0, descriptor };
  try {
    writeRecord(segment, mark(acknowledged));
    return segment;
  } catch (error) {
    closeSync(descriptor);
    throw error;
  }
}

const mark = (sequence: number): QueueRecord => ({ sequence, count: 0, payload: "" });

/** Writes at the end. What a failed write left behind is overwritten by the next one. */
export function writeRecord(segment: OpenSegment, record: QueueRecord): void {
  const bytes = encodeRecord(record);
  for (let at = 0; at < bytes.length; ) {
    at += writeSync(segment.descriptor, bytes, at, bytes.length - at, segment.size + at);
  }
  segment.size += bytes.length;
}

/** Empties a segment of which everything was acknowledged; only the mark remains. */
export function emptySegment(segment: OpenSegment): void {
  segment.size = 0;
  writeRecord(segment, mark(segment.lastSequence));
  ftruncateSync(segment.descriptor, segment.size);
}

export function closeSegment(segment: OpenSegment): void {
  closeSync(segment.descriptor);
}

/** Closes a segment that could not be written, without what the failed write left at its end. */
export function abandonSegment(segment: OpenSegment): void {
  try {
    ftruncateSync(segment.descriptor, segment.size);
  } catch {
    // Then the reader passes over it.
  }
  closeSync(segment.descriptor);
}

export function removeSegment(segment: Segment): void {
  rmSync(segment.file, { force: true });
}
