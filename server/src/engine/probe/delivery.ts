import type { Logger } from "../../platform/context.ts";
import type { QueueRecord } from "../queue/record.ts";
import type { ProbeResult, ResultSink } from "./link.ts";
import { storePart } from "./worker-main.ts";

/** The origin of a batch, notified once it is stored. */
export interface BatchSource {
  acknowledge(sequence: number): void;
}

interface Waiting {
  source: BatchSource;
  sequence: number;
  results: ProbeResult[];
}

/** Results that go to the store together, so that small batches do not cost a transaction each. */
const MERGED_RESULTS = 1_000;
const FIRST_RETRY_MS = 250;
const MAX_RETRY_MS = 10_000;
/** After so many refusals of everything it is tried in parts: one bad result must not stop all others. */
const WHOLE_ATTEMPTS = 5;

/**
 * Brings the batches of all workers to the store, in order and one transaction at a time, and
 * acknowledges them to their worker once they are stored. While the store refuses it tries again,
 * 250 ms to 10 s apart; how much may wait here is up to the workers (worker-main.ts).
 */
export class Delivery {
  /** Results that the store refused though it took others. */
  refused = 0;
  readonly #sink: ResultSink;
  readonly #log: Logger;
  #waiting: Waiting[] = [];
  #sequence = 0;
  #attempts = 0;
  #running: Promise<void> | null = null;
  #isClosing = false;
  #endPause: (() => void) | null = null;

  constructor(sink: ResultSink, log: Logger) {
    this.#sink = sink;
    this.#log = log;
  }

  add(source: BatchSource, batches: readonly QueueRecord[]): void {
    for (const { sequence, payload } of batches) {
      this.#waiting.push({ source, sequence, results: JSON.parse(payload) });
    }
    this.#start();
  }

  /** Forgets what a worker that died had sent: its successor sends it again from disk. */
  discard(source: BatchSource): void {
    this.#waiting = this.#waiting.filter((batch) => batch.source !== source);
  }

  /** Delivers what is here, then resolves; what the store refuses now is left to the disk queue. */
  async finish(): Promise<void> {
    this.#isClosing = true;
    this.#endPause?.();
    this.#start();
    await this.#running;
  }

  #start(): void {
    this.#running ??= this.#deliverAll().finally(() => {
      this.#running = null;
    });
  }

  async #deliverAll(): Promise<void> {
    while (this.#waiting.length > 0) {
      const batches = this.#merge();
      const results =
        batches.length === 1 ? (batches[0] as Waiting).results : batches.flatMap((batch) => batch.results);
      if (await this.#store(results)) this.#acknowledge(batches);
      else if (this.#isClosing) return;
      else await this.#pause();
    }
  }

  #merge(): Waiting[] {
    let count = 0;
    const end = this.#waiting.findIndex((batch, index) => {
      count += batch.results.length;
      return index > 0 && count > MERGED_RESULTS;
    });
    return this.#waiting.slice(0, end < 0 ? undefined : end);
  }

  async #store(results: ProbeResult[]): Promise<boolean> {
    this.#sequence += 1;
    try {
      await this.#sink.accept({ sequence: this.#sequence, results });
      if (this.#attempts > 0) this.#log.info({}, "The store takes results again");
      this.#attempts = 0;
      return true;
    } catch (error) {
      if (this.#attempts === 0) {
        this.#log.error(
          { err: error },
          "The store does not take results; they are queued on disk and retried",
        );
      }
      this.#attempts += 1;
      return this.#attempts >= WHOLE_ATTEMPTS && (await this.#storeParts(results));
    }
  }

  async #storeParts(results: ProbeResult[]): Promise<boolean> {
    const refused = await storePart(this.#sink, results, this.#sequence);
    if (refused === null) return false;
    this.#attempts = 0;
    this.refused += refused.length;
    const monitorIds = [...new Set(refused.map((result) => result.monitorId))];
    this.#log.error(
      { monitorIds, count: refused.length },
      "The store refuses these results though it takes others; they are given up",
    );
    return true;
  }

  #acknowledge(batches: Waiting[]): void {
    // A discarded batch may have left the list while it was stored.
    const stored = new Set(batches);
    this.#waiting = this.#waiting.filter((batch) => !stored.has(batch));
    const newest = new Map(batches.map(({ source, sequence }) => [source, sequence]));
    for (const [source, sequence] of newest) source.acknowledge(sequence);
  }

  async #pause(): Promise<void> {
    const waitMs = Math.min(FIRST_RETRY_MS * 2 ** (this.#attempts - 1), MAX_RETRY_MS);
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, waitMs);
      this.#endPause = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    this.#endPause = null;
  }
}
