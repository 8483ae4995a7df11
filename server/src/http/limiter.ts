import type { FastifyReply } from "fastify";
import {
  type RateLimiterAbstract,
  RateLimiterMemory,
  RateLimiterPostgres,
  RateLimiterRes,
} from "rate-limiter-flexible";
import type { Context } from "../context.ts";
import { tooManyAttempts } from "../errors.ts";

const WINDOW_SECONDS = 60;

/** Counts requests by group and key in windows of a minute, across all replicas. */
export interface Limiter {
  /** Counts one and writes the RateLimit headers, unless there is no reply. Throws 429 above `perMinute`. */
  take(reply: FastifyReply | null, group: string, key: string, perMinute: number): Promise<void>;
  /** Counts one in a window of its own length, and refuses nothing. */
  count(group: string, key: string, windowSeconds: number): Promise<Counted>;
}

/** How many there were in the window, this one included, and how to undo that it was counted. */
export interface Counted {
  count: number;
  /** Until the window ends. */
  resetSeconds: number;
  takeBack(): Promise<void>;
}

/**
 * PostgreSQL counts for every replica; SQLite has one process, whose memory is enough. A store that
 * cannot be reached never blocks: this process then counts for itself.
 */
export function createLimiter(ctx: Context): Limiter {
  if (!ctx.config.rateLimits) return UNLIMITED;
  const counters = new Map<string, RateLimiterAbstract>();
  const counterOf = (group: string, points: number, seconds = WINDOW_SECONDS): RateLimiterAbstract => {
    const name = `${group}/${points}/${seconds}`;
    const known = counters.get(name);
    if (known) return known;
    const counter = createCounter(ctx, group, points, seconds);
    counters.set(name, counter);
    return counter;
  };
  return {
    async take(reply, group, key, perMinute) {
      const taken = await countOne(counterOf(group, perMinute), key);
      const resetSeconds = Math.ceil(taken.result.msBeforeNext / 1000);
      reply?.headers({
        "ratelimit-limit": perMinute,
        "ratelimit-remaining": Math.max(0, taken.result.remainingPoints),
        "ratelimit-reset": resetSeconds,
      });
      if (taken.allowed) return;
      throw tooManyAttempts(resetSeconds);
    },
    async count(group, key, windowSeconds) {
      const counter = counterOf(group, 0, windowSeconds);
      const { consumedPoints, msBeforeNext } = await counter.penalty(key);
      return {
        count: consumedPoints,
        resetSeconds: Math.ceil(msBeforeNext / 1000),
        takeBack: async () => void (await counter.reward(key)),
      };
    },
  };
}

const UNLIMITED: Limiter = {
  take: async () => {},
  count: async () => ({ count: 0, resetSeconds: 0, takeBack: async () => {} }),
};

async function countOne(
  counter: RateLimiterAbstract,
  key: string,
): Promise<{ allowed: boolean; result: RateLimiterRes }> {
  try {
    return { allowed: true, result: await counter.consume(key) };
  } catch (refusal) {
    if (refusal instanceof RateLimiterRes) return { allowed: false, result: refusal };
    throw refusal;
  }
}

function createCounter(ctx: Context, group: string, points: number, duration: number): RateLimiterAbstract {
  const options = { keyPrefix: group, points, duration };
  const memory = new RateLimiterMemory(options);
  if (!ctx.store.pool) return memory;
  return new RateLimiterPostgres({
    ...options,
    storeClient: ctx.store.pool,
    storeType: "pool",
    tableName: "rate_limits",
    tableCreated: true,
    clearExpiredByTimeout: true,
    insuranceLimiter: memory,
    // A client that is over the limit costs the database nothing more.
    ...(points > 0 && { inMemoryBlockOnConsumed: points + 1 }),
  });
}
