import type { LocationState, MonitorState, StatusConfig, StatusResult } from "./state.ts";

/** Milliseconds that a vote stays fresh: two intervals and the time a check may take. */
export const freshForMs = (config: StatusConfig): number => 2 * config.intervalMs + config.timeoutMs;

/** Whether a location's newest result still counts at `now`. A clock that was set back leaves it fresh. */
export const isFresh = (location: LocationState, config: StatusConfig, now: number): boolean =>
  now < location.lastAt + freshForMs(config);

/** Whether a result is about what the monitor watched before its target was changed. */
export const isOfFormerTarget = (state: MonitorState, result: { revision?: number | undefined }): boolean =>
  result.revision !== undefined && result.revision < state.targetRevision;

/** The first revision whose results may vote. */
export const countsFrom = (state: MonitorState): number =>
  Math.max(state.targetRevision, state.watchedRevision);

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
  if (isFromBefore(state, result, soon)) return false;
  const known = state.locations[result.location];
  if (!known || result.at > known.lastAt) return true;
  return result.at !== known.lastAt && known.lastAt > soon;
}

/** Whether it was checked before the monitor was paused. Revisions say so whatever the clocks; times where there is none. */
function isFromBefore(
  { watchedSince, watchedRevision }: MonitorState,
  result: StatusResult,
  soon: number,
): boolean {
  if (watchedRevision > 0 && result.revision !== undefined) return result.revision < watchedRevision;
  return watchedSince !== null && result.at < watchedSince && watchedSince <= soon;
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

/** What `rechecksAfter` answers. */
interface Rechecks {
  /** Where to check again. */
  codes: string[];
  /** Whether a series begins with it: the location then has had its one of this interval. */
  begins: boolean;
}

/**
 * Where to check again instead of waiting for the next run. Failures that are not confirmed yet: there, until they are, so that
 * an outage is confirmed within seconds instead of intervals; after the first of them also at one other location that has seen
 * none. Successes after a confirmed failure likewise. How far apart is the probe's business. Each location begins such a series
 * at most once an interval: a target that answers every other time must not be checked in a loop.
 */
export function rechecksAfter(state: MonitorState, code: string, config: StatusConfig): Rechecks {
  const here = state.locations[code];
  if (here?.vote !== "suspect" && here?.vote !== "recovering") return { codes: [], begins: false };
  const isFirst = here.failures + here.successes === 1;
  if (!isFirst && here.recheckAt >= here.runSince && here.recheckAt <= here.lastAt) {
    return { codes: [code], begins: false };
  }
  if (Math.abs(here.lastAt - here.recheckAt) < config.intervalMs) return { codes: [], begins: false };
  const second = here.vote === "suspect" && isFirst ? secondLocation(state, code) : [];
  return { codes: [code, ...second], begins: true };
}

/** Of the other locations where nothing fails, the one whose last result is the oldest. */
function secondLocation(state: MonitorState, code: string): string[] {
  const [second] = Object.entries(state.locations)
    .filter(([other, { failures, vote }]) => other !== code && failures === 0 && vote !== "stale")
    .sort(([, a], [, b]) => a.lastAt - b.lastAt);
  return second ? [second[0]] : [];
}
