import type { StatusConfig } from "../../status/state.ts";
import { type Fact, fact } from "../../texts/fact.ts";
import type { Replayed } from "./replay.ts";

/** What an outage would have come to under other settings. Times in milliseconds. */
export interface WhatIf {
  confirmations: number;
  recoveries: number;
  /** Locations that have to fail; null: more than half of them. */
  quorum: number | null;
  alarms: number;
  detectedAt: number | null;
  resolvedAt: number | null;
  assumedResults: number;
  facts: Fact[];
}

type Outage = Replayed["outages"][number];

/** What is compared: both courses, as far as they are about the outage that lasted from `since` to `until`. */
export interface Courses {
  since: number;
  until: number;
  /** When it was detected, should its own settings of today no longer show it. */
  detectedAt: number;
  own: Replayed;
  other: Replayed;
  config: StatusConfig;
}

/** Says what the other settings would have changed, in the order in which people ask: when, how long, how often. */
export function compareCourses({ since, until, detectedAt, own, other, config }: Courses): WhatIf {
  const within = (outage: Outage) => outage.detectedAt >= since && outage.startedAt <= until;
  const [before, after] = [own.outages.filter(within), other.outages.filter(within)];
  const { confirmations, recoveries, quorum } = config;
  const settings = {
    ...{ confirmations, recoveries },
    ...(quorum === undefined
      ? { quorum: "majority" as const }
      : { quorum: "count" as const, locations: quorum }),
  };
  const first = after[0];
  const facts = [
    ...(first ? [factOfDetection(settings, first.detectedAt - (before[0]?.detectedAt ?? detectedAt))] : []),
    ...(first ? factsOfEnd(before.at(-1), after.at(-1)) : [fact("whatif.none", settings)]),
    ...(after.length > Math.max(1, before.length)
      ? [fact("whatif.several", { count: after.length, before: Math.max(1, before.length) })]
      : []),
    ...(other.assumed > 0 ? [fact("whatif.assumed", { count: other.assumed })] : []),
  ];
  return {
    ...{ confirmations, recoveries, quorum: quorum ?? null, alarms: after.length },
    detectedAt: first?.detectedAt ?? null,
    resolvedAt: after.at(-1)?.endDetectedAt ?? null,
    assumedResults: other.assumed,
    facts,
  };
}

type Settings = {
  confirmations: number;
  recoveries: number;
  quorum: "majority" | "count";
  locations?: number;
};

/** Differences below this are of no interest to anybody. */
const SAME_MS = 500;

function factOfDetection(settings: Settings, byMs: number): Fact {
  if (Math.abs(byMs) < SAME_MS) return fact("whatif.same", settings);
  return fact(byMs > 0 ? "whatif.later" : "whatif.earlier", { ...settings, by: Math.abs(byMs) });
}

function factsOfEnd(before: Outage | undefined, after: Outage | undefined): Fact[] {
  if (!before || !after || before.endDetectedAt === null) return [];
  if (after.endDetectedAt === null) return [fact("whatif.open")];
  const byMs = after.endDetectedAt - before.endDetectedAt;
  if (Math.abs(byMs) < SAME_MS) return [];
  return [fact(byMs > 0 ? "whatif.closed_later" : "whatif.closed_earlier", { by: Math.abs(byMs) })];
}
