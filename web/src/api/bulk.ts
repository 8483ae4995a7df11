import type { projectBulk } from "../../../server/src/platform/operations/bulk.ts";
import { translateMessage } from "../i18n/i18n.ts";
import { ApiError } from "./client.ts";

/** What the API says became of some of the items (POST /api/domains/bulk and its like). */
export type BulkAnswer = Omit<ReturnType<typeof projectBulk>, "action">;

/** What became of each item; in no list: it was so already. */
export interface BulkOutcome<T> {
  done: T[];
  /** In the API's words, of the first that failed. */
  failed: { item: T; message: string }[];
  /** Deleted by another user in the meantime. */
  gone: T[];
  /** Not begun, because it was stopped before. */
  left: T[];
}

/** How many items are through, and whether any are left that stopping would spare. */
export interface Progress {
  through: number;
  stoppable: boolean;
}

/** A request of so many takes a moment, and there is something to see of the progress and to stop. */
const atOnce = 500;
const limitedPauseMs = 5_000;

/**
 * Some hundreds of ids a request, one after the other, each after a call of `onProgress`. Waits when
 * rate-limited; stops once `signal` is aborted.
 */
export async function runBulk<T extends { id: number }>(
  items: readonly T[],
  send: (ids: number[]) => Promise<BulkAnswer>,
  options: { signal: AbortSignal; onProgress: (progress: Progress) => void; pauseMs?: number },
): Promise<BulkOutcome<T>> {
  const { signal, onProgress, pauseMs = limitedPauseMs } = options;
  const outcome: BulkOutcome<T> = { done: [], failed: [], gone: [], left: [] };
  let through = 0;
  while (through < items.length && !signal.aborted) {
    const part = items.slice(through, through + atOnce);
    onProgress({ through, stoppable: through + part.length < items.length });
    try {
      sort(part, await send(part.map(({ id }) => id)), outcome);
    } catch (error) {
      if (error instanceof ApiError && error.status === 429) {
        onProgress({ through, stoppable: true });
        await pause(pauseMs, signal);
        continue;
      }
      const message = error instanceof Error ? error.message : String(error);
      outcome.failed.push(...part.map((item) => ({ item, message })));
    }
    through += part.length;
  }
  onProgress({ through, stoppable: false });
  outcome.left = items.slice(through);
  return outcome;
}

const pause = (lastsMs: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, lastsMs);
    signal.addEventListener("abort", end);
  });

function sort<T extends { id: number }>(
  part: readonly T[],
  answer: BulkAnswer,
  outcome: BulkOutcome<T>,
): void {
  const changed = new Set(answer.changed.map(({ id }) => id));
  const failed = new Map(answer.failed.map((failure) => [Number(failure.id), failure]));
  for (const item of part) {
    const failure = failed.get(item.id);
    if (changed.has(item.id)) outcome.done.push(item);
    else if (failure?.status === 404) outcome.gone.push(item);
    else if (failure) {
      outcome.failed.push({ item, message: translateMessage(failure.message, failure.fact) });
    }
  }
}
