import type { EngineHealth, ProbeHealth } from "../control.ts";

/** Four buckets an octave: bucket i holds values up to 2^(i/4) ms, the last one everything above 65 s. */
const BUCKETS = 65;

/** Counts of how late checks began, by bucket. */
export type Lateness = number[];

export const newLateness = (): Lateness => Array.from({ length: BUCKETS }, () => 0);

export function recordLateness(counts: Lateness, lateMs: number): void {
  const bucket = lateMs <= 1 ? 0 : Math.min(BUCKETS - 1, Math.ceil(Math.log2(lateMs) * 4));
  counts[bucket] = (counts[bucket] ?? 0) + 1;
}

/** The lateness in milliseconds that 99 of 100 checks of all these counts stayed below; 0 for none. */
export function lateness99Ms(all: readonly Lateness[]): number {
  const sums = newLateness();
  for (const counts of all) counts.forEach((count, bucket) => (sums[bucket] = (sums[bucket] ?? 0) + count));
  const wanted = sums.reduce((sum, count) => sum + count, 0) * 0.99;
  let seen = 0;
  const bucket = sums.findIndex((count) => {
    seen += count;
    return seen > 0 && seen >= wanted;
  });
  return bucket < 0 ? 0 : Math.round(2 ** (bucket / 4));
}

/** What all probes of a process are together. */
export function sumHealth(parts: readonly ProbeHealth[]): ProbeHealth {
  const sum = (of: (health: ProbeHealth) => number) => parts.reduce((total, part) => total + of(part), 0);
  return {
    ticking: parts.every(({ ticking }) => ticking),
    monitors: sum(({ monitors }) => monitors),
    queuedResults: sum(({ queuedResults }) => queuedResults),
    checksTotal: sum(({ checksTotal }) => checksTotal),
    skippedTotal: sum(({ skippedTotal }) => skippedTotal),
    lateness99Ms: Math.max(...parts.map(({ lateness99Ms }) => lateness99Ms)),
  };
}

/** Where no engine runs. */
export const NO_HEALTH: EngineHealth = {
  ticking: false,
  monitors: 0,
  queuedResults: 0,
  checksTotal: 0,
  skippedTotal: 0,
  lateness99Ms: 0,
  isClockTrusted: true,
};
