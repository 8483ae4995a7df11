import type { Phases } from "../../check/check.ts";
import { type Fact, readFact } from "../../texts/fact.ts";

/** What status/apply-results.ts keeps of the newest check, as JSON. */
export interface LastCheckDetails {
  location: string;
  address: string | null;
  protocol: string | null;
  phases: Phases;
  reason: Fact | null;
  /** What a passed check had to say; absent where that was nothing. */
  message?: Fact;
}

/** Reads it, also as older versions wrote it: with a sentence for a reason, and its class beside it. */
export function lastCheckDetails(json: string): LastCheckDetails {
  const stored = JSON.parse(json) as LastCheckDetails & { reasonCode?: string };
  return { ...stored, reason: readFact(stored.reason, stored.reasonCode) };
}
