import type { EngineHealth, ProbeHealth } from "../context.ts";

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
  clockBelieved: true,
};
