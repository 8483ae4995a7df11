import { Worker } from "node:worker_threads";
import { PublicError } from "../errors.ts";
import { PageError } from "./page.ts";
import type { FromPageWorker, PageAnswers, PageKind, PageSettings, ToPageWorker } from "./page-messages.ts";

export interface PageRequest {
  url: string;
  /** The organization that asks: none gets more than its share of the thread. */
  organizationId: number;
  signal?: AbortSignal | undefined;
}

export interface PageReaderOptions {
  settings: PageSettings;
  log: { error(fields: object, message: string): void };
  /** The module that the thread runs; default: the real one. */
  entry?: URL;
  /** How long the thread outlives its last page; default 30 s. */
  idleMs?: number;
  /** When a page has not been answered, the thread is stuck; default 30 s. */
  stuckMs?: number;
}

interface Job extends PageRequest {
  id: number;
  kind: PageKind;
  timer?: NodeJS.Timeout;
  resolve(found: PageAnswers[PageKind]): void;
  reject(error: Error): void;
}

const IDLE_MS = 30_000;
const STUCK_MS = 30_000;
/** Each may hold half a megabyte. */
const CONCURRENT_PAGES = 50;
const MAX_PAGES_OF_ORGANIZATION = 10;
const MAX_WAITING = 500;
const RETRY_SECONDS = 5;
/** A thread that a page makes hungrier than this ends, and no other suffers. */
const HEAP_MB = 128;
const YOUNG_MB = 12;

/**
 * Fetches and parses pages in a thread of its own: what a stranger's page costs, neither the API nor a check pays.
 * The thread is started when it is needed and ends when it no longer is.
 */
export class PageReader {
  readonly #options: PageReaderOptions;
  readonly #waiting: Job[] = [];
  readonly #running = new Map<number, Job>();
  #worker: Worker | null = null;
  #idle: NodeJS.Timeout | undefined;
  #lastId = 0;

  constructor(options: PageReaderOptions) {
    this.#options = options;
  }

  /**
   * What was asked for of the page at an address. Rejects with PageError, also when the request's signal gives up;
   * with 503 when hundreds wait already.
   */
  read<Kind extends PageKind>(kind: Kind, request: PageRequest): Promise<PageAnswers[Kind]> {
    const { signal } = request;
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(givenUp());
      if (this.#waiting.length >= MAX_WAITING) return reject(tooMany());
      const job: Job = { ...request, kind, id: ++this.#lastId, resolve: resolve as Job["resolve"], reject };
      signal?.addEventListener("abort", () => this.#cancel(job), { once: true });
      this.#waiting.push(job);
      this.#pump();
    });
  }

  /** Ends the thread; what is under way fails. */
  async close(): Promise<void> {
    clearTimeout(this.#idle);
    for (const job of this.#waiting.splice(0)) job.reject(givenUp());
    await this.#worker?.terminate();
  }

  /** Begins what there is room for: in order, but for those whose organization has its share under way. */
  #pump(): void {
    clearTimeout(this.#idle);
    while (this.#running.size < CONCURRENT_PAGES) {
      const at = this.#waiting.findIndex(
        ({ organizationId }) => this.#countOf(organizationId) < MAX_PAGES_OF_ORGANIZATION,
      );
      const [job] = at < 0 ? [] : this.#waiting.splice(at, 1);
      if (!job) break;
      this.#begin(job);
    }
    if (!this.#worker || this.#running.size > 0) return;
    this.#idle = setTimeout(() => void this.#worker?.terminate(), this.#options.idleMs ?? IDLE_MS).unref();
  }

  #countOf(organizationId: number): number {
    return [...this.#running.values()].filter((job) => job.organizationId === organizationId).length;
  }

  #begin(job: Job): void {
    this.#worker ??= this.#start();
    this.#running.set(job.id, job);
    job.timer = setTimeout(() => void this.#worker?.terminate(), this.#options.stuckMs ?? STUCK_MS);
    this.#post({ type: job.kind, id: job.id, url: job.url });
  }

  #cancel(job: Job): void {
    if (this.#running.has(job.id)) this.#post({ type: "cancel", id: job.id });
    const at = this.#waiting.indexOf(job);
    if (at >= 0) this.#waiting.splice(at, 1);
    this.#end(job);
    job.reject(givenUp());
    this.#pump();
  }

  #end(job: Job): void {
    clearTimeout(job.timer);
    this.#running.delete(job.id);
  }

  #start(): Worker {
    const { settings, log, entry = new URL("./page-worker.ts", import.meta.url) } = this.#options;
    const worker = new Worker(entry, {
      workerData: settings,
      name: "vedette-pages",
      resourceLimits: { maxOldGenerationSizeMb: HEAP_MB, maxYoungGenerationSizeMb: YOUNG_MB },
    });
    // Whoever waits for a page keeps the process alive, not the thread.
    worker.unref();
    worker.on("message", (message: FromPageWorker) => this.#receive(message));
    worker.on("error", (error) => log.error({ err: error }, "The page reader thread crashed"));
    worker.on("exit", () => {
      this.#worker = null;
      for (const job of this.#running.values()) {
        this.#end(job);
        job.reject(
          new PageError(
            "internal",
            "The server stopped reading it because it took too long or too much memory.",
          ),
        );
      }
      this.#pump();
    });
    return worker;
  }

  #receive(message: FromPageWorker): void {
    const job = this.#running.get(message.id);
    if (!job) return;
    this.#end(job);
    if ("found" in message) job.resolve(message.found);
    else job.reject(new PageError(message.failure.reasonCode, message.failure.message));
    this.#pump();
  }

  #post(message: ToPageWorker): void {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin
    this.#worker?.postMessage(message);
  }
}

const givenUp = () => new PageError("internal", "The request was cancelled.");
const tooMany = () =>
  new PublicError("unavailable", "Service Unavailable", { retryAfterSeconds: RETRY_SECONDS });
