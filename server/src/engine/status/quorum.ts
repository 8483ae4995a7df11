import type { Status } from "../../platform/monitor-defaults.ts";
import { countsAsUp, freshForMs, isFresh } from "./confirmations.ts";
import type { LocationState, MonitorState, StatusConfig } from "./state.ts";

/** The fresh votes of a monitor, counted. */
export interface Tally {
  fresh: number;
  up: number;
  /** Locations with fresh votes; `failing` by their runs' start, oldest first. */
  failing: [code: string, LocationState][];
  upLocations: LocationState[];
  /** Locations that keep the monitor from being simply up: failing, recovering, or slow. */
  impaired: [code: string, LocationState][];
}

/** Marks votes that are no longer fresh, forgets locations long silent, and counts the rest. */
export function countVotes(draft: MonitorState, config: StatusConfig, now: number): Tally {
  const tally: Tally = { fresh: 0, up: 0, failing: [], upLocations: [], impaired: [] };
  for (const [code, location] of Object.entries(draft.locations)) {
    if (!isFresh(location, config, now)) {
      if (location.vote !== "stale") draft.locations[code] = { ...location, vote: "stale" };
      continue;
    }
    tally.fresh += 1;
    if (location.vote === "failing") tally.failing.push([code, location]);
    if (countsAsUp(location)) tally.upLocations.push(location);
    if (location.confirmed === "failing" || location.slows > 0) tally.impaired.push([code, location]);
  }
  tally.up = tally.upLocations.length;
  tally.failing.sort(([, a], [, b]) => a.runSince - b.runSince);
  return tally;
}

/** How many of the fresh locations have to fail for an outage to open. */
export const failingNeeded = (fresh: number, { quorum }: Pick<StatusConfig, "quorum">): number =>
  quorum ?? majorityOf(fresh);

/** How many of them have to be up for it to end: more than half, and so many that those left could not open one. */
export const upNeeded = (fresh: number, { quorum }: Pick<StatusConfig, "quorum">): number =>
  Math.max(majorityOf(fresh), quorum === undefined ? 0 : fresh - quorum + 1);

const majorityOf = (fresh: number) => Math.floor(fresh / 2) + 1;

/**
 * The status that follows from the fresh votes. An outage opens at strictly more than
 * half failing and closes at strictly more than half up. Suspects that never were ok decide nothing.
 */
export function decideStatus(draft: MonitorState, tally: Tally, config: StatusConfig): Status {
  if (tally.fresh === 0) return "unknown";
  if (tally.failing.length >= failingNeeded(tally.fresh, config)) return "down";
  const better = tally.impaired.length > 0 ? "degraded" : "up";
  if (isHeldDown(draft)) {
    if (tally.up >= upNeeded(tally.fresh, config)) return better;
    return tally.failing.length > 0 ? "down" : draft.status;
  }
  return tally.up > 0 ? better : draft.status;
}

/** Down, or not watched since it was: both need a confirmed recovery. */
export const isHeldDown = (state: MonitorState): boolean =>
  state.status === "down" || (state.status === "unknown" && state.outage !== null);

/**
 * When the majority began to fail. It is the first failure of the locations that failed together;
 * one that had been failing alone for longer than a vote stays fresh does not move it back.
 */
export function outageStart(tally: Tally, config: StatusConfig): number {
  const tipping = tally.failing[failingNeeded(tally.fresh, config) - 1]?.[1].runSince ?? 0;
  const togetherMs = freshForMs(config);
  const together = tally.failing.find(([, { runSince }]) => tipping - runSince <= togetherMs);
  return together?.[1].runSince ?? tipping;
}

/** When the majority began to be up: the start of the run that completed it. */
export function recoveryStart(tally: Tally, config: StatusConfig): number {
  const runs = tally.upLocations.map(({ runSince }) => runSince).sort((a, b) => a - b);
  return runs[Math.min(upNeeded(tally.fresh, config), runs.length) - 1] ?? 0;
}
