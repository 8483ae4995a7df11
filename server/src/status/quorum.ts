import type { LocationState, MonitorState, Status, StatusConfig } from "./state.ts";
import { countsAsUp, isFresh } from "./vote.ts";

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

/**
 * The status that the fresh votes ask for (decisions §6). An outage opens at strictly more than
 * half failing and closes at strictly more than half up. Suspects that never were ok decide nothing.
 */
export function decideStatus(draft: MonitorState, tally: Tally): Status {
  if (tally.fresh === 0) return "unknown";
  if (tally.failing.length * 2 > tally.fresh) return "down";
  const better = tally.impaired.length > 0 ? "degraded" : "up";
  if (isHeldDown(draft)) {
    if (tally.up * 2 > tally.fresh) return better;
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
export function outageStart(tally: Tally, togetherMs: number): number {
  const needed = Math.floor(tally.fresh / 2);
  const tipping = tally.failing[needed]?.[1].runSince ?? 0;
  const together = tally.failing.find(([, { runSince }]) => tipping - runSince <= togetherMs);
  return together?.[1].runSince ?? tipping;
}

/** When the majority began to be up: the start of the run that completed it. */
export function recoveryStart(tally: Tally): number {
  const runs = tally.upLocations.map(({ runSince }) => runSince).sort((a, b) => a - b);
  return runs[Math.min(Math.floor(tally.fresh / 2), runs.length - 1)] ?? 0;
}
