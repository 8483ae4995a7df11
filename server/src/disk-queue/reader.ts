import { findRecord, type QueueRecord } from "./record.ts";
import { readBytes, type Segment } from "./segment.ts";

export interface StoredRecord {
  record: QueueRecord;
  segment: Segment;
  /** Offset behind it. */
  end: number;
}

/** Reads the segments of a queue in order, ahead as far as they were written. */
export class QueueReader {
  /** The queue's own list, oldest first. */
  readonly #segments: readonly Segment[];
  #segment: Segment | null = null;
  #at = 0;
  #ahead: { segment: Segment; from: number; bytes: Buffer } | null = null;

  constructor(segments: readonly Segment[]) {
    this.#segments = segments;
  }

  moveTo(segment: Segment, at: number): void {
    this.#segment = segment;
    this.#at = at;
  }

  /** What was read ahead is no longer what the file holds. */
  forget(): void {
    this.#ahead = null;
  }

  /** The first record behind `sequence`, without moving. Marks and damaged places are passed over. */
  peek(sequence: number): StoredRecord | null {
    const known = this.#segment ? this.#segments.indexOf(this.#segment) : -1;
    let at = known < 0 ? 0 : this.#at;
    for (const segment of this.#segments.slice(Math.max(known, 0))) {
      while (at < segment.size) {
        const { from, bytes } = this.#bytesOf(segment, at);
        if (bytes.length === 0) break;
        for (let found = findRecord(bytes, at - from); found; found = findRecord(bytes, found.end)) {
          if (found.count > 0 && found.sequence > sequence) {
            return { record: found, segment, end: from + found.end };
          }
        }
        at = from + bytes.length;
      }
      at = 0;
    }
    return null;
  }

  #bytesOf(segment: Segment, at: number): { from: number; bytes: Buffer } {
    const ahead = this.#ahead;
    if (ahead?.segment === segment && at >= ahead.from && at < ahead.from + ahead.bytes.length) return ahead;
    this.#ahead = { segment, from: at, bytes: readBytes(segment.file, at, segment.size) };
    return this.#ahead;
  }
}
