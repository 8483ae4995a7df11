import { unavailable } from "../../platform/errors.ts";
import { msg } from "../../platform/i18n/message.ts";
import { createThread, type Thread, ThreadEnded } from "../../platform/worker-pool.ts";
import type { TargetPolicy } from "../guard.ts";
import { PageError } from "./page.ts";
import type { PageTitle, Picture } from "./page-search.ts";

/** What the thread that reads pages is started with. */
export interface PageSettings {
  /** As createResolver takes them. */
  resolvers: readonly string[];
  policy: TargetPolicy;
}

export interface PageAnswers {
  title: PageTitle;
  icon: Picture | null;
}

export type PageKind = keyof PageAnswers;

export interface PageReadRequest {
  kind: PageKind;
  url: string;
}

interface PageRequest {
  url: string;
  /** The requesting organization: none gets more than its share of the thread. */
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

interface Waiting {
  organizationId: number;
  enter(): void;
  reject(error: Error): void;
}

const IDLE_MS = 30_000;
const STUCK_MS = 30_000;
/** Each may hold half a megabyte. */
const CONCURRENT_PAGES = 50;
const MAX_PAGES_OF_ORGANIZATION = 10;
const MAX_WAITING = 500;
const MAX_WAITING_OF_ORGANIZATION = 50;
const RETRY_SECONDS = 5;
/** A thread that a page makes need more memory than this ends, and nothing else suffers. */
const HEAP_MB = 128;
const YOUNG_MB = 12;

/** In a thread, so that no remote page costs the API or a check time. It runs only while it is needed. */
export class PageReader {
  readonly #thread: Thread<PageReadRequest>;
  readonly #waiting: Waiting[] = [];
  /** How many pages of an organization are under way; those without any are absent. */
  readonly #running = new Map<number, number>();
  #count = 0;

  constructor({ settings, log, entry, idleMs = IDLE_MS, stuckMs = STUCK_MS }: PageReaderOptions) {
    this.#thread = createThread({
      entry: entry ?? new URL("./page-worker.ts", import.meta.url),
      name: "vedette-pages",
      workerData: settings,
      limits: { maxOldGenerationSizeMb: HEAP_MB, maxYoungGenerationSizeMb: YOUNG_MB },
      idleMs,
      stuckMs,
      onFault: (err) => log.error({ err }, "The page reader thread crashed"),
    });
  }

  /**
   * Rejects with PageError, also when the signal aborts or the thread ends; with 503 when too many wait; with
   * what else was thrown in the thread, a fault of ours.
   */
  async read<Kind extends PageKind>(kind: Kind, request: PageRequest): Promise<PageAnswers[Kind]> {
    const { url, organizationId, signal } = request;
    await this.#enter(organizationId, signal);
    try {
      return (await this.#thread.run({ kind, url }, signal)) as PageAnswers[Kind];
    } catch (error) {
      throw signal?.aborted ? givenUp() : ownErrorOf(error);
    } finally {
      this.#leave(organizationId);
    }
  }

  async close(): Promise<void> {
    for (const { reject } of this.#waiting.splice(0)) reject(givenUp());
    await this.#thread.close();
  }

  /** Resolves when there is room for one more page of the organization. */
  #enter(organizationId: number, signal: AbortSignal | undefined): Promise<void> {
    if (signal?.aborted) return Promise.reject(givenUp());
    if (this.#isFullFor(organizationId)) return Promise.reject(tooMany());
    return new Promise((resolve, reject) => {
      const giveUp = (): void => {
        const at = this.#waiting.indexOf(waiting);
        if (at >= 0) this.#waiting.splice(at, 1);
        reject(givenUp());
      };
      const enter = (): void => {
        signal?.removeEventListener("abort", giveUp);
        resolve();
      };
      const waiting: Waiting = { organizationId, enter, reject };
      signal?.addEventListener("abort", giveUp, { once: true });
      this.#waiting.push(waiting);
      this.#admit();
    });
  }

  /** Admits as many as there is room for: in order, except those whose organization has its share under way. */
  #admit(): void {
    while (this.#count < CONCURRENT_PAGES) {
      const at = this.#waiting.findIndex(
        ({ organizationId }) => this.#countOf(organizationId) < MAX_PAGES_OF_ORGANIZATION,
      );
      const [next] = at < 0 ? [] : this.#waiting.splice(at, 1);
      if (!next) return;
      this.#count += 1;
      this.#running.set(next.organizationId, this.#countOf(next.organizationId) + 1);
      next.enter();
    }
  }

  #leave(organizationId: number): void {
    const left = this.#countOf(organizationId) - 1;
    this.#count -= 1;
    if (left > 0) this.#running.set(organizationId, left);
    else this.#running.delete(organizationId);
    this.#admit();
  }

  #isFullFor(organizationId: number): boolean {
    const own = this.#waiting.filter((waiting) => waiting.organizationId === organizationId);
    return this.#waiting.length >= MAX_WAITING || own.length >= MAX_WAITING_OF_ORGANIZATION;
  }

  #countOf(organizationId: number): number {
    return this.#running.get(organizationId) ?? 0;
  }
}

/** As it was thrown in the thread, where its class has no meaning here; what is no PageError is a fault of ours. */
function ownErrorOf(error: unknown): unknown {
  if (error instanceof ThreadEnded) return new PageError(msg("internal.page"));
  const { name, reason } = error as PageError;
  return name === "PageError" ? new PageError(reason) : error;
}

const givenUp = () => new PageError(msg("internal.cancelled"));
const tooMany = () => unavailable(RETRY_SECONDS);

declare module "../../platform/context.ts" {
  interface Context {
    pages: PageReader;
  }
}
