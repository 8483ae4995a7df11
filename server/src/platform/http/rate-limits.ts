import { setTimeout as wait } from "node:timers/promises";
import type { FastifyReply, FastifyRequest } from "fastify";
import {
  type RateLimiterAbstract,
  RateLimiterMemory,
  RateLimiterPostgres,
  RateLimiterRes,
} from "rate-limiter-flexible";
import { type GuessLimits, guessDelayMs } from "../access/password.ts";
import { hashToken } from "../access/random-tokens.ts";
import type { Clock } from "../clock.ts";
import type { Context } from "../context.ts";
import { tooManyAttempts } from "../errors.ts";
import { normalizeEmail } from "../formats/name.ts";
import type { HttpCall } from "./listing.ts";
import { clientNetwork } from "./visitor.ts";

/** At one account from one address, or from one known device. */
const PER_MINUTE = 10;
/** From one address, whatever the account. */
const PER_MINUTE_ADDRESS = 30;
/** Wrong passwords at an account make the next ones wait for so long. */
const PASSWORD_WINDOW_SECONDS = 15 * 60;
/** Of a million codes three are right: ten guesses an hour find one in four years, on average. */
const CODES_PER_WINDOW = 10;
const CODE_WINDOW_SECONDS = 60 * 60;
interface Attempt {
  request: FastifyRequest;
  reply: FastifyReply;
  email: string;
  /** A password that all share: no wait for what others have guessed. */
  isShared?: boolean;
  /** Null: no earlier sign-in to this account from this browser. */
  deviceId: string | null;
}

/**
 * docs/adr/0015. Anonymous clients are counted by address, by address and account, and slowed down by account
 * (existing or not); a known device only by itself, so that no flood locks a person out. A shared password is
 * slowed down by address, in a queue of its own.
 */
export function createGuessLimits(limiter: Limiter, clock: Clock): (attempt: Attempt) => GuessLimits {
  const [own, shared] = [createGuessQueue(clock), createGuessQueue(clock)];
  return ({ request, reply, email, isShared = false, deviceId }) => {
    const account = hashToken(normalizeEmail(email));
    const address = clientNetwork(request.ip);
    const accountAndAddress = `${account}:${hashToken(address)}`;
    const [slowed, queue] = isShared ? [accountAndAddress, shared] : [account, own];
    return {
      async password() {
        if (deviceId !== null) {
          await limiter.take(reply, "sign-in", `device:${deviceId}`, PER_MINUTE);
          return async () => {};
        }
        await limiter.take(reply, "sign-in", `address:${address}`, PER_MINUTE_ADDRESS);
        await limiter.take(reply, "sign-in", `account:${accountAndAddress}`, PER_MINUTE);
        const guess = await limiter.count("wrong-password", slowed, PASSWORD_WINDOW_SECONDS);
        await queue.wait(slowed, guessDelayMs(guess.count));
        return guess.takeBack;
      },
      async code(userId) {
        const who = deviceId === null ? `user:${userId}` : `device:${deviceId}`;
        const guess = await limiter.count("wrong-code", who, CODE_WINDOW_SECONDS);
        if (guess.count > CODES_PER_WINDOW) throw tooManyAttempts(guess.resetSeconds);
        return guess.takeBack;
      },
    };
  };
}

/** Guesses of anonymous clients at one account that may wait at once, in this process; and at all accounts together. */
const WAITING = 20;
const WAITING_IN_ALL = 1000;

/** Each account's apart. Throws 429 where too many wait already. */
export function createGuessQueue(clock: Clock) {
  const waiting = new Map<string, number>();
  let inAll = 0;
  const enter = (account: string, by: 1 | -1): void => {
    const now = (waiting.get(account) ?? 0) + by;
    if (now > 0) waiting.set(account, now);
    else waiting.delete(account);
    inAll += by;
  };
  return {
    async wait(account: string, ms: number): Promise<void> {
      if (ms === 0) return;
      if ((waiting.get(account) ?? 0) >= WAITING || inAll >= WAITING_IN_ALL) throw tooManyAttempts(ms / 1000);
      enter(account, 1);
      try {
        await (clock.wait?.(ms) ?? wait(ms, undefined, { ref: false }));
      } finally {
        enter(account, -1);
      }
    },
  };
}

const WINDOW_SECONDS = 60;

/** Counts requests by group and key in windows of a minute, across all replicas. */
export interface Limiter {
  /** Counts one and writes the RateLimit headers, unless there is no reply. Throws 429 above `perMinute`. */
  take(reply: FastifyReply | null, group: string, key: string, perMinute: number): Promise<void>;
  /** Counts one in a window of its own length, and refuses nothing. */
  count(group: string, key: string, windowSeconds: number): Promise<Counted>;
}

/** This one included, with a way to undo the count. */
interface Counted {
  count: number;
  /** Until the window ends. */
  resetSeconds: number;
  takeBack(): Promise<void>;
}

/** PostgreSQL counts for every replica, SQLite's one process in memory, as does a process without its store. */
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

const HOUR_SECONDS = 3_600;

/** Counts a mail to an address, whatever caused it. Throws 429 for more than `anHour`. `group`: their subject. */
export async function limitMails(
  { request }: Pick<HttpCall, "request">,
  { group, to, anHour }: { group: string; to: string; anHour: number },
): Promise<void> {
  const sent = await request.server.limiter.count(group, hashToken(normalizeEmail(to)), HOUR_SECONDS);
  if (sent.count > anHour) throw tooManyAttempts(sent.resetSeconds);
}

/** Of those who subscribe to status pages, from one client address. */
export const SUBSCRIBE_LIMIT = { group: "subscribe", perMinute: 5 };
