import type { Logger } from "../context.ts";
import { outsideRequests } from "../thread.ts";

export interface Repeated {
  /** The next turn begins now, or once the running one has ended. */
  soon(): void;
  /** No further turn begins; resolves when the running one has ended. */
  stop(): Promise<void>;
}

export interface RepeatOptions {
  /** What the work is, as it reads in "<name> failed". */
  name: string;
  everyMs: number;
  /** Before the first turn; default `everyMs`. */
  firstMs?: number;
  log: Logger;
  work: () => Promise<unknown>;
}

/**
 * Does `work` again and again, never two turns at once: the pause is counted from the end of a turn.
 * A failure is logged when it begins and when it is over, not at every turn.
 */
export function repeat({ name, everyMs, firstMs = everyMs, log, work }: RepeatOptions): Repeated {
  let stopped = false;
  let isFailing = false;
  let isRunning = false;
  let isWanted = false;
  let running = Promise.resolve();
  const turn = async () => {
    isRunning = true;
    isWanted = false;
    try {
      await work();
      if (isFailing) log.info({}, `${name} works again`);
      isFailing = false;
    } catch (error) {
      if (!isFailing) log.error({ err: error }, `${name} failed; it is tried again every ${everyMs} ms`);
      isFailing = true;
    }
    isRunning = false;
    if (!stopped) timer = setTimeout(begin, isWanted ? 0 : everyMs);
  };
  const begin = () => {
    running = outsideRequests(turn);
  };
  let timer = setTimeout(begin, firstMs);
  return {
    soon() {
      if (stopped || isWanted) return;
      isWanted = true;
      if (isRunning) return;
      clearTimeout(timer);
      timer = setTimeout(begin, 0);
    },
    async stop() {
      stopped = true;
      clearTimeout(timer);
      await running;
    },
  };
}
