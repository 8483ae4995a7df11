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
import { encodeRecord, findRecord, type QueueRecord } from "./record.ts";

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
export interface FoundSegment {
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
