import { setTimeout as wait } from "node:timers/promises";
import type { FastifyReply, FastifyRequest } from "fastify";
import { type GuessLimits, guessDelayMs } from "../account/guess-limits.ts";
import { hashToken } from "../account/token.ts";
import type { Clock } from "../clock.ts";
import { PublicError } from "../errors.ts";
import { clientNetwork } from "./client-network.ts";
import type { Limiter } from "./limiter.ts";

/** At one account from one address, or from one known device. */
const PER_MINUTE = 10;
/** From one address, whatever the account. */
const PER_MINUTE_ADDRESS = 30;
/** Wrong passwords at an account make the next ones wait for so long. */
const PASSWORD_WINDOW_SECONDS = 15 * 60;
/** Of a million codes three are right: ten guesses an hour find one in four years, on average. */
const CODES_PER_WINDOW = 10;
const CODE_WINDOW_SECONDS = 60 * 60;
/** Guesses of strangers at one account that may wait at once, in this process; and at all accounts together. */
const WAITING = 20;
const WAITING_IN_ALL = 1000;

/** One sign-in under way. */
export interface Attempt {
  request: FastifyRequest;
  reply: FastifyReply;
  email: string;
  /** Null: a browser that nobody has signed in to this account with. */
  deviceId: string | null;
}

/**
 * The bounds of guessing (docs/adr/0015). A stranger is counted by address, by address and account, and slowed down
 * by account; a known device only by itself, so that no flood of guesses keeps a person from their account. An
 * e-mail without an account is treated the same.
 */
export function createGuessLimits(limiter: Limiter, clock: Clock): (attempt: Attempt) => GuessLimits {
  const queue = createQueue(clock);
  return ({ request, reply, email, deviceId }) => {
    const account = hashToken(email.trim().toLowerCase());
    const address = clientNetwork(request.ip);
    return {
      async password() {
        if (deviceId !== null) {
          await limiter.take(reply, "sign-in", `device:${deviceId}`, PER_MINUTE);
          return async () => {};
        }
        await limiter.take(reply, "sign-in", `address:${address}`, PER_MINUTE_ADDRESS);
        await limiter.take(reply, "sign-in", `account:${account}:${hashToken(address)}`, PER_MINUTE);
        const guess = await limiter.count("wrong-password", account, PASSWORD_WINDOW_SECONDS);
        await queue.wait(account, guessDelayMs(guess.count));
        return guess.takeBack;
      },
      async code(userId) {
        const who = deviceId === null ? `user:${userId}` : `device:${deviceId}`;
        const guess = await limiter.count("wrong-code", who, CODE_WINDOW_SECONDS);
        if (guess.count > CODES_PER_WINDOW) throw tooMany(guess.resetSeconds);
        return guess.takeBack;
      },
    };
  };
}

/** Keeps strangers waiting, each account's apart. Throws 429 where too many wait already. */
function createQueue(clock: Clock) {
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
      if ((waiting.get(account) ?? 0) >= WAITING || inAll >= WAITING_IN_ALL) throw tooMany(ms / 1000);
      enter(account, 1);
      try {
        await (clock.wait?.(ms) ?? wait(ms, undefined, { ref: false }));
      } finally {
        enter(account, -1);
      }
    },
  };
}

const tooMany = (seconds: number) =>
  new PublicError("rate_limited", "Too Many Attempts.", {
    retryAfterSeconds: Math.max(1, Math.ceil(seconds)),
  });
