/** Call when a guess was right, or turned out not to be a guess: it no longer counts. */
export type TakeBack = () => Promise<void>;

/** Limits on guessing (platform/http/guess-limits.ts). Each call counts a guess; throws 429 for too many. */
export interface GuessLimits {
  password(): Promise<TakeBack>;
  /** Call before a one-time code is checked, so only after a right password. */
  code(userId: number): Promise<TakeBack>;
}

const FREE_GUESSES = 5;
const FIRST_DELAY_MS = 250;
const MAX_DELAY_MS = 20_000;

/** Milliseconds before the n-th wrong guess: none for five, then twice as long each time, up to 20 s. */
export const guessDelayMs = (n: number): number =>
  n <= FREE_GUESSES ? 0 : Math.min(FIRST_DELAY_MS * 2 ** Math.min(n - FREE_GUESSES - 1, 30), MAX_DELAY_MS);
