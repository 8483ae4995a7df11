/** Time as the program sees it. Rules never read it: they get `now` as an argument. */
export interface Clock {
  /** Wall clock, milliseconds since 1970 UTC. */
  now(): number;
}

/** The machine's own clock. */
export const systemClock: Clock = { now: () => Date.now() };
