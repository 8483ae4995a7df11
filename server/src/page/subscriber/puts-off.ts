import type { Logger } from "../../context.ts";

const FIRST_MS = 60_000;
const LONGEST_MS = 3_600_000;

/** What could not be done lately, by the number of the thing, so that nothing else waits for it. */
export interface PutsOff {
  /** What is to be left alone now. */
  ids(now: number): number[];
  /** Does it. What fails is logged and put off: each time for twice as long. */
  attempt(id: number, now: number, work: () => Promise<void>): Promise<void>;
}

/** `what` names in the log what fails. */
export function putsOff(log: Logger, what: string): PutsOff {
  const failed = new Map<number, { until: number; pauseMs: number }>();
  return {
    // Not for longer, where the clock was ahead when it failed.
    ids: (now) =>
      [...failed].flatMap(([id, { until, pauseMs }]) => (until > now && until <= now + pauseMs ? [id] : [])),
    async attempt(id, now, work) {
      try {
        await work();
        failed.delete(id);
      } catch (error) {
        const pauseMs = Math.min((failed.get(id)?.pauseMs ?? FIRST_MS / 2) * 2, LONGEST_MS);
        failed.set(id, { until: now + pauseMs, pauseMs });
        log.error({ err: error, id, pauseMs }, `${what} fails, and is put off`);
      }
    },
  };
}
