import { accessSync, constants, existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import {
  abandonSegment,
  closeSegment,
  createSegment,
  emptySegment,
  findRecord,
  findSegments,
  HEADER_BYTES,
  type OpenSegment,
  type QueueRecord,
  readBytes,
  removeSegment,
  type Segment,
  writeRecord,
} from "./record.ts";

interface StoredRecord {
  record: QueueRecord;
  segment: Segment;
  /** Offset behind it. */
  end: number;
}

/** Reads the segments of a queue in order, ahead as far as they were written. */
class QueueReader {
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

/** Where it says that something is wrong, and well again. */
interface QueueLog {
  info(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

export interface DiskQueueOptions {
  folder: string;
  log: QueueLog;
  /** What is in it, for the log. Default: results. */
  what?: string;
  /** Above this the oldest results are dropped. Default 512 MB. */
  maxBytes?: number;
  /** Size at which a new file is begun; at most half of `maxBytes`. Default 1 MB. */
  segmentBytes?: number;
  /** Results held in memory: those about to be handed out, and as many that the disk refused. */
  memoryResults?: number;
}

interface Batch extends QueueRecord {
  /** Where it is on disk; null while the disk refuses it. */
  stored: { segment: Segment; end: number } | null;
}

const RETRY_MS = 1_000;
/** A disk that is nearly full takes one batch and refuses the next: that is said once, not every second. */
const REPORT_AGAIN_MS = 60_000;

/**
 * Batches of results on disk until they are acknowledged, handed out in order. What `append` returned for survives the end of the
 * process (not that of the machine: nothing is synced, as with the store). After a restart everything not known to be
 * acknowledged is handed out again, so a batch may come twice; the store recognises repeated results. While the disk refuses to
 * write, batches stay in bounded memory and go out all the same.
 */
export class DiskQueue {
  /** Results appended and not acknowledged. */
  pending = 0;
  /** Results given up, because there were more than fit. */
  dropped = 0;
  /** Damaged places found on disk; each lost one batch or more. */
  damaged = 0;
  /** The disk refuses to write. */
  isFailing = false;
  readonly #options: Required<DiskQueueOptions>;
  /** Oldest first; the active one is the last. */
  readonly #segments: Segment[] = [];
  #active: OpenSegment | null = null;
  #lastSequence = 0;
  #handedOut = 0;
  #acknowledged = 0;
  /** Not handed out yet and in memory, oldest first. */
  readonly #ready: Batch[] = [];
  #readyResults = 0;
  readonly #unwritten: Batch[] = [];
  readonly #inFlight: { sequence: number; count: number }[] = [];
  readonly #reader = new QueueReader(this.#segments);
  /** Of this failure; one that is over within the quiet minute is not logged at all. */
  #isLogged = false;
  #retryAtMs = 0;
  #logAgainAtMs = 0;

  constructor(options: DiskQueueOptions) {
    const maxBytes = options.maxBytes ?? 512 * 1024 * 1024;
    const segmentBytes = Math.min(options.segmentBytes ?? 1024 * 1024, maxBytes / 2);
    this.#options = { memoryResults: 20_000, what: "results", ...options, maxBytes, segmentBytes };
    for (const { segment, acknowledged, damaged } of findSegments(options.folder)) {
      this.#segments.push(segment);
      this.#lastSequence = Math.max(this.#lastSequence, segment.lastSequence);
      this.#acknowledged = Math.max(this.#acknowledged, acknowledged);
      this.damaged += damaged;
      this.pending += segment.waiting;
    }
    this.#handedOut = this.#acknowledged;
    if (this.damaged > 0) {
      const fields = { folder: options.folder, places: this.damaged };
      const message = `The queue of ${this.#options.what} was damaged on disk; the readable rest is delivered`;
      options.log.error(fields, message);
    }
  }

  /** Bytes on disk. */
  get sizeBytes(): number {
    return this.#segments.reduce((sum, segment) => sum + segment.size, 0);
  }

  /** Puts a batch of `count` results (at least one) at the end; answers its sequence. */
  append(payload: string, count: number): number {
    this.#lastSequence += 1;
    const batch: Batch = { sequence: this.#lastSequence, count, payload, stored: null };
    this.pending += count;
    this.#unwritten.push(batch);
    this.flush();
    if (batch.stored === null || this.#readyResults + count <= this.#options.memoryResults) {
      this.#ready.push(batch);
      this.#readyResults += count;
    }
    this.#limitUnwritten();
    return batch.sequence;
  }

  /** Batches up to `sequence` are known elsewhere: those to come are counted on from there, also where the count was lost. */
  countOnFrom(sequence: number): void {
    this.#lastSequence = Math.max(this.#lastSequence, sequence);
  }

  /** The next batch that was not handed out yet, or null. */
  next(): QueueRecord | null {
    const [ready] = this.#ready;
    if (ready && ready.sequence === this.#handedOut + 1) return this.#handOutReady();
    const stored = this.#reader.peek(this.#handedOut);
    if (ready && (!stored || ready.sequence <= stored.record.sequence)) return this.#handOutReady();
    if (!stored) return null;
    this.#reader.moveTo(stored.segment, stored.end);
    stored.segment.waiting -= stored.record.count;
    return this.#handOut(stored.record);
  }

  /** Everything up to `sequence` is safe elsewhere. */
  acknowledge(sequence: number): void {
    if (sequence <= this.#acknowledged) return;
    this.#acknowledged = sequence;
    while (this.#inFlight[0] && this.#inFlight[0].sequence <= sequence) {
      this.pending -= this.#inFlight.shift()?.count ?? 0;
    }
    while (this.#unwritten[0] && this.#unwritten[0].sequence <= sequence) this.#unwritten.shift();
    this.#removeAcknowledged();
  }

  /** Tries again to write what the disk refused; at most once a second. */
  flush(): void {
    if (this.isFailing && performance.now() < this.#retryAtMs) return;
    try {
      for (let [batch] = this.#unwritten; batch; [batch] = this.#unwritten) {
        this.#store(batch);
        this.#unwritten.shift();
      }
      const { log, what } = this.#options;
      if (this.#isLogged) log.info({}, `The queue of ${what} is written to disk again`);
      this.#isLogged = false;
      this.isFailing = false;
    } catch (error) {
      this.#onWriteError(error);
    }
  }

  close(): void {
    if (this.#active) closeSegment(this.#active);
    this.#active = null;
  }

  #handOutReady(): QueueRecord {
    const batch = this.#ready.shift() as Batch;
    this.#readyResults -= batch.count;
    if (batch.stored) {
      this.#reader.moveTo(batch.stored.segment, batch.stored.end);
      batch.stored.segment.waiting -= batch.count;
    }
    return this.#handOut(batch);
  }

  #handOut({ sequence, count, payload }: QueueRecord): QueueRecord {
    this.#handedOut = sequence;
    this.#inFlight.push({ sequence, count });
    return { sequence, count, payload };
  }

  #store(batch: Batch): void {
    const bytes = HEADER_BYTES + Buffer.byteLength(batch.payload);
    const segment = this.#segmentFor(bytes, batch.sequence);
    writeRecord(segment, batch);
    segment.lastSequence = batch.sequence;
    if (batch.sequence > this.#handedOut) segment.waiting += batch.count;
    batch.stored = { segment, end: segment.size };
  }

  #segmentFor(bytes: number, sequence: number): OpenSegment {
    const { folder, segmentBytes, maxBytes } = this.#options;
    if (this.#active && this.#active.size > HEADER_BYTES && this.#active.size + bytes > segmentBytes)
      this.close();
    if (!this.#active) {
      this.#active = createSegment(folder, sequence, this.#acknowledged);
      // A file of that name held no batch, or its name would be taken by an earlier sequence.
      const emptied = this.#segments.findIndex((segment) => segment.file === this.#active?.file);
      if (emptied >= 0) this.#segments.splice(emptied, 1);
      this.#segments.push(this.#active);
      this.#removeAcknowledged();
    }
    while (this.#segments.length > 1 && this.sizeBytes + bytes > maxBytes) this.#dropOldest();
    return this.#active;
  }

  #dropOldest(): void {
    const segment = this.#segments.shift() as Segment;
    removeSegment(segment);
    while (this.#ready[0]?.stored?.segment === segment) this.#readyResults -= this.#ready.shift()?.count ?? 0;
    this.#drop(segment.waiting, "the queue on disk is full");
  }

  #limitUnwritten(): void {
    let held = this.#unwritten.reduce((sum, batch) => sum + batch.count, 0);
    while (held > this.#options.memoryResults) {
      const batch = this.#unwritten.shift() as Batch;
      held -= batch.count;
      const index = this.#ready.indexOf(batch);
      if (index < 0) continue;
      this.#ready.splice(index, 1);
      this.#readyResults -= batch.count;
      this.#drop(batch.count, "the disk refuses to write and memory is full");
    }
  }

  #drop(count: number, why: string): void {
    if (count === 0) return;
    if (this.dropped === 0)
      this.#options.log.error({ count }, `Oldest ${this.#options.what} are dropped: ${why}`);
    this.dropped += count;
    this.pending -= count;
  }

  #removeAcknowledged(): void {
    while (this.#segments[0] && this.#segments[0] !== this.#active) {
      if (this.#segments[0].lastSequence > this.#acknowledged) return;
      removeSegment(this.#segments.shift() as Segment);
    }
    const active = this.#active;
    if (!active || active.lastSequence > this.#acknowledged || active.size === HEADER_BYTES) return;
    try {
      emptySegment(active);
    } catch (error) {
      this.#onWriteError(error);
    }
    this.#reader.moveTo(active, active.size);
    this.#reader.forget();
  }

  /** The segment may be what is broken: the next attempt begins a new one. */
  #onWriteError(error: unknown): void {
    const now = performance.now();
    if (!this.#isLogged && now >= this.#logAgainAtMs) {
      const { log, folder, what } = this.#options;
      const message = `The queue of ${what} cannot be written to disk; ${what} are held in memory meanwhile`;
      log.error({ err: error, folder }, message);
      this.#isLogged = true;
      this.#logAgainAtMs = now + REPORT_AGAIN_MS;
    }
    this.isFailing = true;
    this.#retryAtMs = now + RETRY_MS;
    if (this.#active) abandonSegment(this.#active);
    this.#active = null;
  }
}

/**
 * Sees that this user may use what an earlier process left in the queue's folder: workers that cannot would
 * die again and again while the server says that it is well. Throws an Error whose message is for the operator.
 */
export function refuseUnusableQueue(folder: string): void {
  if (!existsSync(folder)) return;
  refuse(folder, constants.R_OK | constants.W_OK | constants.X_OK);
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (!entry.isDirectory()) continue;
    const own = join(folder, entry.name);
    refuse(own, constants.R_OK | constants.W_OK | constants.X_OK);
    for (const name of readdirSync(own)) refuse(join(own, name), constants.R_OK | constants.W_OK);
  }
}

function refuse(path: string, wanted: number): void {
  try {
    accessSync(path, wanted);
  } catch (error) {
    const { code = "unknown" } = error as NodeJS.ErrnoException;
    const message = `The queue of results ${path} cannot be used (${code}). Give this user the right to read and write it; it may hold results that are not stored yet.`;
    throw new Error(message, { cause: error });
  }
}
