import { judgeResults } from "./soak-results.ts";
import { LATE_MS, PROBE_FAULT, type SoakRun } from "./soak-run.ts";
import { judgeStatus } from "./soak-status.ts";
import type { Stored, StoredRow } from "./soak-stored.ts";

export interface Verdict {
  requests: number;
  results: number;
  /** Requests that were answered and have no result, though no kill came within half a second. */
  lost: number;
  /** The same within half a second before a kill, of targets that answer at once: what the program may lose. */
  lostAtKills: number;
  /** How long before its kill the earliest of those was answered. */
  lostAtKillsMs: number;
  /** Runs of the schedule that were made again after a kill though their result was waiting on disk; it counts once. */
  madeTwice: number;
  /** Results that no request stands for. */
  unasked: number;
  /** Checks that the roll-ups count and no result stands for, or the other way round. */
  doubled: number;
  wrongStatus: number;
  probeFaults: number;
  outages: number;
  missedOutages: number;
  missedRecoveries: number;
  falseAlarms: number;
  repeatedTransitions: number;
  /** The first losses and false alarms, for whoever looks for their cause. Seconds of the soak. */
  examples: string[];
  detectionMs: number[];
}

/** The first few of each kind are enough to find their cause. */
const EXAMPLES = 5;

/** From when on results are judged: the first request, whose check may have been due a little before. */
export const judgedFromMs = ({ served, endedAt }: SoakRun): number =>
  served.reduce((least, [, at]) => Math.min(least, at), endedAt) - LATE_MS;

/** Compares everything that is stored with what happened. */
export function judge(run: SoakRun, stored: Stored): Verdict {
  const results = run.ids.map((id) => stored.results.get(id) ?? []);
  const ofResults = judgeResults(run, results);
  const ofStatus = judgeStatus(run, stored.transitions);
  return {
    ...ofResults,
    ...ofStatus,
    doubled: countDoubled(run, results, stored.rolledUp),
    examples: [...ofResults.examples.slice(0, EXAMPLES), ...ofStatus.examples.slice(0, EXAMPLES)],
  };
}

function countDoubled(
  { ids }: SoakRun,
  results: StoredRow[][],
  rolledUp: ReadonlyMap<number, number>,
): number {
  return ids.reduce((sum, id, site) => {
    const counted = (results[site] ?? []).filter(({ outcome }) => outcome !== PROBE_FAULT).length;
    return sum + Math.abs((rolledUp.get(id) ?? 0) - counted);
  }, 0);
}
