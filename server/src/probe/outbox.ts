import type { DiskQueue } from "../disk-queue/queue.ts";
import type { QueueRecord } from "../disk-queue/record.ts";
import { type ProbeResult, withoutEvidence } from "./link.ts";

const BATCH_RESULTS = 500;
/** What a process that is killed may lose is what was made within this time. */
const STORE_MS = 20;
const SEND_MS = 250;
/** Somebody is waiting: a first result, or a verdict that changed. */
const URGENT_SEND_MS = 20;
/** Results of a batch that may carry what their check saw, or the way there: of a thousand that fail at once the first stand for all. */
const BATCH_EVIDENCE = 64;
/** Above this the queue on disk takes results alone. */
const ROOMY_BYTES = 128 * 1024 * 1024;
/** What may be under way to the store; the rest waits on disk. */
const WINDOW_RESULTS = 2_000;
const WINDOW_BATCHES = 256;

/** Gathers results into batches, puts them on disk at once, then hands them on, a bounded number at a time. */
export class Outbox {
  readonly #queue: DiskQueue;
  readonly #post: (batches: QueueRecord[]) => void;
  #results: ProbeResult[] = [];
  #evidence = 0;
  readonly #inFlight: { sequence: number; count: number }[] = [];
  #inFlightResults = 0;
  #storeTimer: NodeJS.Timeout | null = null;
  #sendTimer: NodeJS.Timeout | null = null;
  #isUrgent = false;

  /** What an earlier process left on disk goes out first. */
  constructor(queue: DiskQueue, post: (batches: QueueRecord[]) => void) {
    this.#queue = queue;
    this.#post = post;
    this.#pump();
  }

  /** Results that were made and not acknowledged. */
  get pending(): number {
    return this.#queue.pending + this.#results.length;
  }

  add(result: ProbeResult, isUrgent: boolean): void {
    const isCarrying = result.evidence !== undefined || result.route !== undefined;
    const mayCarry = isCarrying && this.#evidence < BATCH_EVIDENCE;
    if (result.route !== undefined && !mayCarry) return;
    this.#results.push(mayCarry ? result : withoutEvidence(result));
    if (mayCarry) this.#evidence += 1;
    if (this.#results.length >= BATCH_RESULTS) this.flush();
    else this.#storeTimer ??= setTimeout(() => this.store(), STORE_MS);
    if (!this.#sendTimer || (isUrgent && !this.#isUrgent)) this.#arm(isUrgent);
  }

  /** Puts what was gathered on disk and on its way. */
  flush(): void {
    if (this.#sendTimer) clearTimeout(this.#sendTimer);
    this.#sendTimer = null;
    this.#isUrgent = false;
    this.store();
    this.#pump();
  }

  acknowledge(sequence: number): void {
    while (this.#inFlight[0] && this.#inFlight[0].sequence <= sequence) {
      this.#inFlightResults -= this.#inFlight.shift()?.count ?? 0;
    }
    this.#queue.acknowledge(sequence);
    this.#pump();
  }

  #arm(isUrgent: boolean): void {
    if (this.#sendTimer) clearTimeout(this.#sendTimer);
    this.#isUrgent = isUrgent;
    this.#sendTimer = setTimeout(() => this.flush(), isUrgent ? URGENT_SEND_MS : SEND_MS);
  }

  /** Puts what was gathered on disk. */
  store(): void {
    if (this.#storeTimer) clearTimeout(this.#storeTimer);
    this.#storeTimer = null;
    const results = this.#results;
    if (results.length === 0) return;
    this.#results = [];
    this.#evidence = 0;
    const isTight = this.#queue.isFailing || this.#queue.sizeBytes > ROOMY_BYTES;
    const kept = isTight ? results.filter(({ route }) => route === undefined).map(withoutEvidence) : results;
    if (kept.length > 0) this.#queue.append(JSON.stringify(kept), kept.length);
  }

  /** One message for all that is ready: the store then takes it in one transaction. */
  #pump(): void {
    const batches: QueueRecord[] = [];
    while (this.#inFlightResults < WINDOW_RESULTS && this.#inFlight.length < WINDOW_BATCHES) {
      const batch = this.#queue.next();
      if (!batch) break;
      this.#inFlight.push({ sequence: batch.sequence, count: batch.count });
      this.#inFlightResults += batch.count;
      batches.push(batch);
    }
    if (batches.length > 0) this.#post(batches);
  }
}
