import type { LocationState, MonitorState, StatusConfig, StatusResult } from "./state.ts";

/** Milliseconds that a vote stays fresh: two intervals and the time a check may take. */
export const freshForMs = (config: StatusConfig): number => 2 * config.intervalMs + config.timeoutMs;

/** Whether a location's newest result still counts at `now`. A clock that was set back leaves it fresh. */
export const isFresh = (location: LocationState, config: StatusConfig, now: number): boolean =>
  now < location.lastAt + freshForMs(config);

/** Whether a result is about what the monitor watched before its target was changed. */
export const isOfFormerTarget = (state: MonitorState, result: { revision?: number | undefined }): boolean =>
  result.revision !== undefined && result.revision < state.targetRevision;

/**
 * Whether a result may vote: no probe fault, about the present target, not from while the monitor was
 * paused, and newer than the location's newest. A `lastAt` more than an interval ahead of `now` means that the clock
 * was set back; then order by time says nothing, and the result counts.
 */
export function mayVote(
  state: MonitorState,
  result: StatusResult,
  config: StatusConfig,
  now: number,
): boolean {
  if (result.verdict === "probe_fault" || state.watchedSince === null) return false;
  if (isOfFormerTarget(state, result)) return false;
  const soon = now + config.intervalMs;
  if (result.at < state.watchedSince && state.watchedSince <= soon) return false;
  const known = state.locations[result.location];
  if (!known || result.at > known.lastAt) return true;
  return result.at !== known.lastAt && known.lastAt > soon;
}

/** The location's state after one more result. Runs that a silence interrupted start anew. */
export function castVote(
  known: LocationState | undefined,
  result: StatusResult,
  config: StatusConfig,
): LocationState {
  const gap = known !== undefined && result.at >= known.lastAt + freshForMs(config);
  const before = known && !gap ? known : afterSilence(known, result.at);
  return result.verdict === "failed"
    ? afterFailure(before, result, config)
    : afterSuccess(before, result, config);
}

/** After a silence an `ok` is forgotten; a confirmed failure still needs a confirmed recovery. */
function afterSilence(known: LocationState | undefined, at: number): LocationState {
  return {
    vote: "stale",
    confirmed: known?.confirmed === "failing" ? "failing" : null,
    failures: 0,
    successes: 0,
    slows: 0,
    lastAt: at,
    runSince: at,
    recheckAt: known?.recheckAt ?? 0,
    reason: null,
  };
}

function afterFailure(before: LocationState, result: StatusResult, config: StatusConfig): LocationState {
  const failures = before.failures + 1;
  const failing = failures >= config.confirmations;
  return {
    vote: failing ? "failing" : "suspect",
    confirmed: failing ? "failing" : before.confirmed,
    failures,
    successes: 0,
    slows: 0,
    lastAt: result.at,
    runSince: failures === 1 ? result.at : before.runSince,
    recheckAt: before.recheckAt,
    reason: result.reason,
  };
}

function afterSuccess(before: LocationState, result: StatusResult, config: StatusConfig): LocationState {
  const successes = before.successes + 1;
  const recovering = before.confirmed === "failing" && successes < config.recoveries;
  const slow = result.verdict === "degraded";
  return {
    vote: recovering ? "recovering" : "ok",
    confirmed: recovering ? "failing" : "ok",
    failures: 0,
    successes,
    slows: slow ? before.slows + 1 : 0,
    lastAt: result.at,
    runSince: successes === 1 ? result.at : before.runSince,
    recheckAt: before.recheckAt,
    reason: slow ? result.reason : null,
  };
}

/** Whether a vote counts as up: `ok`, or `suspect` where `ok` was the last confirmed vote. */
export const countsAsUp = (location: LocationState): boolean =>
  location.vote === "ok" || (location.vote === "suspect" && location.confirmed === "ok");

/**
 * Where to check again at once. The first failure: there, and at one other location that has seen
 * none, so that an outage is confirmed within seconds instead of an interval. The first success
 * after a confirmed failure: there, so that a recovery is confirmed just as fast. At most once an
 * interval for each location: a target that answers every other time must not be checked in a loop.
 */
export function rechecksAfter(state: MonitorState, code: string, config: StatusConfig): string[] {
  const here = state.locations[code];
  if (!here) return [];
  const firstFailure = here.vote === "suspect" && here.failures === 1;
  const firstSuccess = here.vote === "recovering" && here.successes === 1;
  if (!firstFailure && !firstSuccess) return [];
  const codes = [code];
  if (firstFailure) {
    const second = Object.entries(state.locations)
      .filter(([other, { failures, vote }]) => other !== code && failures === 0 && vote !== "stale")
      .sort(([, a], [, b]) => a.lastAt - b.lastAt)[0];
    if (second) codes.push(second[0]);
  }
  return codes.filter((each) => {
    const asked = state.locations[each]?.recheckAt ?? 0;
    return Math.abs(here.lastAt - asked) >= config.intervalMs;
  });
}
