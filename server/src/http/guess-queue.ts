import { setTimeout as wait } from "node:timers/promises";
import type { Clock } from "../clock.ts";
import { tooManyAttempts } from "../errors.ts";

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
