import { invalidInput, PublicError, unavailable } from "../../platform/errors.ts";
import { msg } from "../../platform/i18n/message.ts";
import { keepRecent } from "../../platform/lru-cache.ts";
import { createThread, type Thread, ThreadEnded } from "../../platform/worker-pool.ts";
import type { TargetPolicy } from "../guard.ts";
import type { ToolName } from "./registry.ts";
import type { ToolError, ToolSources } from "./tool.ts";

interface ToolCall {
  signal?: AbortSignal | undefined;
  reportProgress?: ((progress: unknown) => void) | undefined;
}

interface ToolRunnerOptions {
  settings: ToolSettings;
  log: { error(fields: object, message: string): void };
}

const IDLE_MS = 60_000;
/** Longer than any tool is silent. */
const STUCK_MS = 90_000;
/** A thread that needs more memory than this ends, and nothing else suffers. */
const HEAP_MB = 256;
const YOUNG_MB = 32;

/** In a thread, so that answers of remote servers cost neither the API nor checks time. Runs only while needed. */
export class ToolRunner {
  readonly #thread: Thread<ToolRequest>;

  constructor({ settings, log }: ToolRunnerOptions) {
    this.#thread = createThread({
      entry: new URL("./tool-worker.ts", import.meta.url),
      name: "vedette-tools",
      workerData: settings,
      limits: { maxOldGenerationSizeMb: HEAP_MB, maxYoungGenerationSizeMb: YOUNG_MB },
      idleMs: IDLE_MS,
      stuckMs: STUCK_MS,
      onFault: (err) => log.error({ err }, "The thread of the tools crashed"),
    });
  }

  /**
   * Rejects with 422 for unusable input, with 502 where a remote server failed or the thread ended, with the
   * signal's reason when the caller no longer waits.
   */
  async run(tool: ToolName, input: unknown, { signal, reportProgress }: ToolCall): Promise<unknown> {
    try {
      return await this.#thread.run({ tool, input }, signal, reportProgress);
    } catch (error) {
      throw ownErrorOf(error);
    }
  }

  close(): Promise<void> {
    return this.#thread.close();
  }
}

/** As it was thrown in the thread, where its class has no meaning here; what is no ToolError is a fault of ours. */
function ownErrorOf(error: unknown): unknown {
  if (error instanceof ThreadEnded) {
    return new PublicError("upstream_failed", msg("tool.given_up"), { cause: error });
  }
  const { name, reason, field, retryAfterSeconds } = error as ToolError;
  if (name !== "ToolError") return error;
  return field === undefined
    ? new PublicError("upstream_failed", reason, {
        ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
      })
    : invalidInput({ [field]: [reason] });
}

const CACHE_MS = 60_000;
const MAX_CACHED = 1_000;
/** Each may hold a megabyte of what a registry sends. */
const MAX_UNDER_WAY = 50;
const RETRY_SECONDS = 5;

/**
 * Once for all concurrent callers, cached for a minute unless it failed. Rejects with 503 when dozens are
 * under way. `now`: milliseconds.
 */
export function cacheAnswers<Answer>(now: () => number) {
  const cache = keepRecent<string, { answer: Answer; untilMs: number }>(MAX_CACHED);
  const underWay = new Map<string, Promise<Answer>>();
  return (key: string, find: () => Promise<Answer>): Promise<Answer> => {
    const known = cache.get(key);
    // One that ends further ahead was found out by a clock that was wrong.
    const leftMs = known === undefined ? 0 : known.untilMs - now();
    if (known !== undefined && leftMs > 0 && leftMs <= CACHE_MS) return Promise.resolve(known.answer);
    const other = underWay.get(key);
    if (other !== undefined) return other;
    if (underWay.size >= MAX_UNDER_WAY) return Promise.reject(unavailable(RETRY_SECONDS));
    const running = find()
      .then((answer) => {
        cache.set(key, { answer, untilMs: now() + CACHE_MS });
        return answer;
      })
      .finally(() => underWay.delete(key));
    underWay.set(key, running);
    return running;
  };
}

/** What the thread that runs tools is started with. */
export interface ToolSettings {
  /** As createResolver takes them. */
  resolvers: readonly string[];
  policy: TargetPolicy;
  sources: ToolSources;
}

export interface ToolRequest {
  tool: ToolName;
  input: unknown;
}

declare module "../../platform/context.ts" {
  interface Context {
    tools: ToolRunner;
  }
}
