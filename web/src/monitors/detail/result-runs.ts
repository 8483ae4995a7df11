import type { CheckResult } from "../../api/monitor.ts";

/** Checks in a row that came out alike, newest first; never empty. */
export interface ResultRun {
  /** Stays the same while newer checks join. */
  id: number;
  checks: readonly CheckResult[];
}

/** Fewer are shown one by one. */
const fewestFolded = 3;

/** Checks in runs, newest first. Of `results`, newest first, those are alike that have one outcome, code and kind of reason. */
export function resultRuns(results: readonly CheckResult[]): ResultRun[] {
  const runs: CheckResult[][] = [];
  for (const result of results) {
    const last = runs.at(-1);
    if (last?.[0] && isAlike(last[0], result)) last.push(result);
    else runs.push([result]);
  }
  return runs
    .flatMap((checks) => (checks.length < fewestFolded ? checks.map((check) => [check]) : [checks]))
    .map((checks) => ({ id: checks.at(-1)?.id ?? 0, checks }));
}

const isAlike = (one: CheckResult, other: CheckResult): boolean =>
  one.state === other.state && one.statusCode === other.statusCode && one.reasonCode === other.reasonCode;

/** How long the checks took that answered, milliseconds; null where none did. */
export function responseSpan(checks: readonly CheckResult[]): { fastest: number; slowest: number } | null {
  const times = checks.flatMap((check) => shownTime(check) ?? []);
  return times.length === 0 ? null : { fastest: Math.min(...times), slowest: Math.max(...times) };
}

/** How long a check took, where it was answered at all: what was never answered took as long as somebody waited. */
export const shownTime = ({ responseTime, state, statusCode }: CheckResult): number | null =>
  state === "down" && statusCode === null ? null : responseTime;

/**
 * The newest checks and those that have been read before them, each once, newest first. Where the newest have moved on
 * so far that checks between are missing, the older ones are left out.
 */
export function joinResults(newest: readonly CheckResult[], older: readonly CheckResult[]): CheckResult[] {
  const oldestNew = newest.at(-1);
  if (!oldestNew) return [...newest];
  const isJoined = older.some(({ id }) => id >= oldestNew.id);
  return isJoined ? [...newest, ...older.filter(({ id }) => id < oldestNew.id)] : [...newest];
}
