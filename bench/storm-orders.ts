/** What the storm bench and its world (storm-world.ts) say to each other. */

/**
 * `line`: no way out at all, not even to the reference target. `network`: no way to any target, but to the reference target.
 * `targets`: each target answers 503.
 */
export type StormKind = "line" | "network" | "targets";

export interface WorldReady {
  targets: number;
  reference: number;
  channels: number;
  resolver: string;
  smtp: string;
}

/** When each receiver got something, milliseconds since 1970, by its path; mails under "mail". */
export type Arrivals = Record<string, number[]>;

/** The n-th target, from 1. */
export const hostOf = (n: number): string => `site-${n}.storm.test`;
