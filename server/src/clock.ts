/** Time as the program sees it. Rules never read it: they get `now` as an argument. */
export interface Clock {
  /** Wall clock, milliseconds since 1970 UTC. */
  now(): number;
  /** Resolves after so many milliseconds; absent: by a timer. Tests need not wait. */
  wait?(ms: number): Promise<void>;
}

/** The machine's own clock. */
export const systemClock: Clock = { now: () => Date.now() };
