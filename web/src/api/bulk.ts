import { ApiError } from "./client.ts";

/** What became of each item. */
export interface BulkOutcome<T> {
  done: T[];
  /** In the API's words, of the first that failed. */
  failed: { item: T; message: string }[];
}

/** The browser has six connections, and the live stream needs one of them. */
const atOnce = 4;
const limitedPauseMs = 5_000;

/**
 * Does `work` for every item, a few at a time. `onProgress` gets how many are through. Where the API asks
 * to slow down, it waits and goes on; after `signal`, nothing new begins and the rest is in neither list.
 */
export async function runBulk<T>(
  items: readonly T[],
  work: (item: T) => Promise<unknown>,
  options: { signal: AbortSignal; onProgress: (through: number) => void; pauseMs?: number },
): Promise<BulkOutcome<T>> {
  const { signal, onProgress, pauseMs = limitedPauseMs } = options;
  const queue = [...items];
  const outcome: BulkOutcome<T> = { done: [], failed: [] };
  const runOne = async (item: T) => {
    try {
      await work(item);
      outcome.done.push(item);
    } catch (error) {
      if (error instanceof ApiError && error.status === 429 && !signal.aborted) {
        queue.unshift(item);
        await new Promise((resolve) => setTimeout(resolve, pauseMs));
        return;
      }
      outcome.failed.push({ item, message: error instanceof Error ? error.message : String(error) });
    }
    onProgress(outcome.done.length + outcome.failed.length);
  };
  const lane = async () => {
    for (let item = queue.shift(); item !== undefined && !signal.aborted; item = queue.shift()) {
      await runOne(item);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, lane));
  return outcome;
}
