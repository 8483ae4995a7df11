import { ApiError, sentencesOf } from "../../api/client.ts";

/** What became of each address. */
export interface ManyAdded {
  /** How many are watched from now on. */
  added: number;
  /** Those that were watched before. */
  watched: string[];
  /** Those that the API refused, in its words. */
  refused: { address: string; message: string }[];
  /** Not tried: it was stopped, or nothing more can be added. */
  left: string[];
}

/** Where the API asks to slow down. */
const limitedPauseMs = 5_000;

/** One a line, each once, without the space around it. */
export const addressesIn = (text: string): string[] => [
  ...new Set(
    text
      .split(/[\r\n]+/)
      .map((line) => line.trim())
      .filter((line) => line !== ""),
  ),
];

/**
 * Adds one address after the other; `onProgress` is told how many are through. Waits where the API asks to slow down, and
 * ends early after `signal`, or where no more are allowed.
 */
export async function addMany(
  addresses: readonly string[],
  {
    isWatched,
    add,
  }: { isWatched(address: string): Promise<boolean>; add(address: string): Promise<unknown> },
  options: { signal: AbortSignal; onProgress: (through: number) => void; pauseMs?: number },
): Promise<ManyAdded> {
  const { signal, onProgress, pauseMs = limitedPauseMs } = options;
  const outcome: ManyAdded = { added: 0, watched: [], refused: [], left: [] };
  let at = 0;
  for (; at < addresses.length && !signal.aborted; at += 1) {
    const address = addresses[at] as string;
    onProgress(at);
    try {
      if (await isWatched(address)) outcome.watched.push(address);
      else {
        await add(address);
        outcome.added += 1;
      }
    } catch (error) {
      if (statusOf(error) === 429) {
        await new Promise((resolve) => setTimeout(resolve, pauseMs));
        at -= 1;
        continue;
      }
      outcome.refused.push({ address, message: sentencesOf(error).join(" ") });
      // The quota is reached, or the server is away: it would be the same for all others.
      if ([0, 403].includes(statusOf(error))) {
        at += 1;
        break;
      }
    }
  }
  outcome.left = addresses.slice(at);
  return outcome;
}

const statusOf = (error: unknown): number => (error instanceof ApiError ? error.status : -1);
