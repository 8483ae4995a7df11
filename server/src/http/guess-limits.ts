import { setTimeout as wait } from "node:timers/promises";
import type { FastifyReply, FastifyRequest } from "fastify";
import { normalizeEmail } from "../account/email.ts";
import { type GuessLimits, guessDelayMs } from "../account/guessing.ts";
import { hashToken } from "../account/token.ts";
import type { Clock } from "../clock.ts";
import { tooManyAttempts } from "../errors.ts";
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
/** One sign-in under way. */
export interface Attempt {
  request: FastifyRequest;
  reply: FastifyReply;
  email: string;
  /** Everybody has the same password: nobody waits for what others have guessed. */
  isShared?: boolean;
  /** Null: a browser that nobody has signed in to this account with. */
  deviceId: string | null;
}

/**
 * The limits on guessing (docs/adr/0015). A stranger is counted by address, by address and account, and slowed down
 * by account; a known device only by itself, so that no flood of guesses keeps a person from their account. An e-mail
 * without an account is treated the same. A password that visitors share is slowed down by address, and they wait in a queue
 * of their own.
 */
export function createGuessLimits(limiter: Limiter, clock: Clock): (attempt: Attempt) => GuessLimits {
  const [own, shared] = [createGuessQueue(clock), createGuessQueue(clock)];
  return ({ request, reply, email, isShared = false, deviceId }) => {
    const account = hashToken(normalizeEmail(email));
    const address = clientNetwork(request.ip);
    const stranger = `${account}:${hashToken(address)}`;
    const [slowed, queue] = isShared ? [stranger, shared] : [account, own];
    return {
      async password() {
        if (deviceId !== null) {
          await limiter.take(reply, "sign-in", `device:${deviceId}`, PER_MINUTE);
          return async () => {};
        }
        await limiter.take(reply, "sign-in", `address:${address}`, PER_MINUTE_ADDRESS);
        await limiter.take(reply, "sign-in", `account:${stranger}`, PER_MINUTE);
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

/** Guesses of strangers at one account that may wait at once, in this process; and at all accounts together. */
const WAITING = 20;
const WAITING_IN_ALL = 1000;

/** Keeps strangers waiting, each account's apart. Throws 429 where too many wait already. */
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
