import { isFromWrongClock } from "../clock.ts";
import type { LocationState, MonitorState } from "./state.ts";

/** A check that was under way when the clock was corrected still votes. */
const UNDER_WAY_MS = 60_000;

/**
 * The state without the times of a clock that was ahead by hours: they become `now`, so that nothing waits
 * for them. The very same state where there are none.
 */
export function correctState(state: MonitorState, now: number): MonitorState {
  if (!isAhead(state, now)) return state;
  const back = (time: number) => Math.min(time, now);
  const { outage, flapping, watchedSince } = state;
  const locations = Object.entries(state.locations).map(([code, location]): [string, LocationState] => {
    const lastAt = location.lastAt > now ? now - UNDER_WAY_MS : location.lastAt;
    const recheckAt = location.recheckAt > now ? 0 : location.recheckAt;
    return [code, { ...location, lastAt, recheckAt, runSince: Math.min(back(location.runSince), lastAt) }];
  });
  return {
    ...state,
    since: back(state.since),
    historyAt: back(state.historyAt),
    watchedSince: watchedSince === null ? null : back(watchedSince),
    locations: Object.fromEntries(locations),
    outage: outage && { ...outage, startedAt: back(outage.startedAt), detectedAt: back(outage.detectedAt) },
    recentTransitions: state.recentTransitions.map(back),
    flapping: flapping && { since: back(flapping.since), unstableAt: back(flapping.unstableAt) },
  };
}

/** Any of them: what is newest is at least as new as all the others. */
function isAhead(
  { since, historyAt, watchedSince, locations, flapping }: MonitorState,
  now: number,
): boolean {
  if (isFromWrongClock(Math.max(since, historyAt, watchedSince ?? 0, flapping?.unstableAt ?? 0), now))
    return true;
  for (const code in locations) {
    const location = locations[code];
    if (location && isFromWrongClock(Math.max(location.lastAt, location.recheckAt), now)) return true;
  }
  return false;
}
