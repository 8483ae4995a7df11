/** Call when a guess was right, or turned out not to be a guess: it no longer counts. */
export type TakeBack = () => Promise<void>;

/**
 * The limits on guessing at a sign-in (platform/http/guess-limits.ts keeps the count). Each call counts one guess, and throws
 * 429 when no more are allowed.
 */
export interface GuessLimits {
  /** Call before a password is checked; may take a while. */
  password(): Promise<TakeBack>;
  /** Call before a one-time code is checked. Only somebody who knows the password gets this far. */
  code(userId: number): Promise<TakeBack>;
}

const FREE_GUESSES = 5;
const FIRST_DELAY_MS = 250;
const MAX_DELAY_MS = 20_000;

/**
 * How long the n-th wrong guess at an account must wait, in milliseconds: the first five not at all, from then on
 * twice as long each time, up to 20 s.
 */
export const guessDelayMs = (n: number): number =>
  n <= FREE_GUESSES ? 0 : Math.min(FIRST_DELAY_MS * 2 ** Math.min(n - FREE_GUESSES - 1, 30), MAX_DELAY_MS);
