import { argon2, randomBytes, timingSafeEqual } from "node:crypto";
import { promisify } from "node:util";
import { PublicError } from "../errors.ts";
import { msg } from "../i18n/message.ts";

/** RFC 9106's second recommended option, with memory cut to 19 MiB as OWASP allows for sign-in forms. */
const MEMORY_KIB = 19_456;
const PASSES = 2;
const PARALLELISM = 1;
const TAG_BYTES = 32;
const SALT_BYTES = 16;

/** Hashing at once, and waiting for a turn: a flood of sign-ins costs at most this much CPU and memory. */
const CONCURRENCY = 2;
const QUEUE_LIMIT = 64;

const hashBytes = promisify(argon2);
const waiting: (() => void)[] = [];
let running = 0;

/** The password as a PHC string, `$argon2id$v=19$m=…,t=…,p=…$salt$hash`. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES);
  const hash = await derive(password, salt, { memory: MEMORY_KIB, passes: PASSES, parallelism: PARALLELISM });
  return `$argon2id$v=19$m=${MEMORY_KIB},t=${PASSES},p=${PARALLELISM}$${bare(salt)}$${bare(hash)}`;
}

/** With null (no such user) the same work is done, so that the time reveals no accounts. `first`: ahead of others. */
export async function verifyPassword(
  password: string,
  phc: string | null,
  { first = false } = {},
): Promise<boolean> {
  const parsed = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([\w+/]+)\$([\w+/]+)$/.exec(phc ?? "");
  const [, memory = MEMORY_KIB, passes = PASSES, parallelism = PARALLELISM, salt = "", hash = ""] =
    parsed ?? [];
  const saltBytes = parsed ? Buffer.from(salt, "base64") : Buffer.alloc(SALT_BYTES);
  const costs = { memory: Number(memory), passes: Number(passes), parallelism: Number(parallelism) };
  const derived = await derive(password, saltBytes, costs, first);
  const expected = Buffer.from(hash, "base64");
  return expected.length === derived.length && timingSafeEqual(derived, expected);
}

const bare = (bytes: Buffer): string => bytes.toString("base64").replace(/=+$/, "");

async function derive(
  password: string,
  nonce: Buffer,
  costs: { memory: number; passes: number; parallelism: number },
  first = false,
): Promise<Buffer> {
  await enter(first);
  try {
    // NFC: the same password typed on another keyboard is the same password.
    return await hashBytes("argon2id", {
      message: password.normalize("NFC"),
      nonce,
      tagLength: TAG_BYTES,
      ...costs,
    });
  } finally {
    running -= 1;
    waiting.shift()?.();
  }
}

/** A caller who is `first` does not wait for anonymous clients, nor is turned away because of them. */
async function enter(first: boolean): Promise<void> {
  if (running >= CONCURRENCY) {
    if (waiting.length >= QUEUE_LIMIT && !first) {
      throw new PublicError("unavailable", msg("account.busy"), {
        retryAfterSeconds: 5,
      });
    }
    await new Promise<void>((resolve) => (first ? waiting.unshift(resolve) : waiting.push(resolve)));
  }
  running += 1;
}

/** Call when a guess was right, or turned out not to be a guess: it no longer counts. */
export type TakeBack = () => Promise<void>;

/** Limits on guessing (platform/http/rate-limits.ts). Each call counts a guess; throws 429 for too many. */
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
