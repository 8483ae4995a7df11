import { type MessageDescriptor, msg } from "../../platform/i18n/message.ts";
import { castVote, freshForMs, isFresh, mayVote, rechecksAfter } from "./confirmations.ts";
import { noteFailure } from "./flapping.ts";
import { crossParents } from "./held-by-parents.ts";
import { crossMaintenance } from "./pause.ts";
import { countVotes } from "./quorum.ts";
import {
  type Applied,
  changeStatus,
  correctState,
  type MonitorState,
  notify,
  type StatusConfig,
  type StatusResult,
  type Step,
} from "./state.ts";
import { followHealth, updateStatus } from "./update-status.ts";

/**
 * From a result to a status. Pure: the same arguments give the same answer, and the
 * state passed in is never changed.
 *
 * What the specification leaves open:
 * - a slow success counts as up, and makes the monitor `degraded` as long as it is the newest;
 * - what is not confirmed is rechecked until it is, successes after an outage as well as failures;
 * - when monitoring stops, an open outage stays open: nothing says that it is over;
 * - a maintenance window holds what it causes; the end of an outage announced before it is still announced.
 *
 * This file is the entry; confirmations.ts counts at one location, quorum.ts over all of them, update-status.ts
 * draws the consequences.
 */

/** Applies one result. One that may not vote (late, repeated, probe fault) changes nothing. */
export function applyResult(
  state: MonitorState,
  result: StatusResult,
  config: StatusConfig,
  now: number,
): Applied {
  if (!mayVote(state, result, config, now)) return { state, events: [] };
  const step = begin(state, config, now);
  const { draft, events } = step;
  // A result that was held back arrives late, but its probe was not silent.
  if (result.at >= lastVoteAt(draft) + freshForMs(config)) stopIfSilent(step, false);
  const before = { status: draft.status, reason: draft.locations[result.location]?.reason ?? null };
  const isOfHealth = draft.outage?.health !== undefined;
  const location = castVote(draft.locations[result.location], result, config);
  draft.locations[result.location] = location;
  if (result.verdict === "failed" && isFresh(location, config, now)) noteFailure(draft, now);
  // With nothing fresh the newer results of the same backlog decide, or the passing of time (applyTime).
  if (draft.status === "unknown" || Object.values(draft.locations).some((one) => isFresh(one, config, now)))
    updateStatus(step, result.at);
  if (isOfHealth) followHealth(step, before, result);
  if (isFresh(location, config, now)) {
    const { codes, begins } = rechecksAfter(draft, result.location, config);
    // The vote may have grown stale, or been counted anew, since it was cast.
    const here = draft.locations[result.location];
    if (begins && here) draft.locations[result.location] = { ...here, recheckAt: result.at };
    for (const code of codes) events.push({ type: "recheck", location: code });
  }
  return { state: draft, events };
}

/** Applies the passing of time: votes grow stale, flapping ends, a maintenance window begins or ends. */
export function applyTime(state: MonitorState, config: StatusConfig, now: number): Applied {
  const step = begin(state, config, now);
  if (!stopIfSilent(step, true)) updateStatus(step, now);
  return { state: step.draft, events: step.events };
}

/** Applies the beginning or the end of a maintenance window, and nothing else. */
export function applyWindow(state: MonitorState, config: StatusConfig, now: number): Applied {
  const { draft, events } = begin(state, config, now);
  return { state: draft, events };
}

/** Applies what has become of its parents to a monitor that is held back; others stay as they are. */
export function applyParents(state: MonitorState, config: StatusConfig, now: number): Applied {
  if (!state.suppressed) return { state, events: [] };
  const step = begin(state, config, now);
  // Its outage opens whatever a parent that never got there comes to.
  const { behind: _, ...free } = config;
  if (crossParents(step) && !stopIfSilent(step, true)) updateStatus({ ...step, config: free }, now);
  return { state: step.draft, events: step.events };
}

/**
 * Nothing can be said of it for the moment, for this reason: unknown until the next result. An open outage stays open, as
 * nothing says that it is over.
 */
export function applyUnknown(
  state: MonitorState,
  reason: MessageDescriptor | null,
  config: StatusConfig,
  now: number,
): Applied {
  const isVoted = Object.values(state.locations).some(({ vote }) => vote !== "stale");
  if (state.watchedSince === null || (state.status === "unknown" && !isVoted)) return { state, events: [] };
  const step = begin(state, config, now);
  const { draft, events } = step;
  for (const [code, location] of Object.entries(draft.locations)) {
    draft.locations[code] = { ...location, vote: "stale" };
  }
  if (draft.status !== "unknown") changeStatus(step, "unknown", now, reason, null);
  return { state: draft, events };
}

/** When the newest vote stops being fresh: the time to call `applyTime`. Null: nothing to wait for. */
export function staleAt(state: MonitorState, config: StatusConfig): number | null {
  const votes = Object.values(state.locations).filter(({ vote }) => vote !== "stale");
  if (votes.length === 0) return null;
  return Math.max(...votes.map(({ lastAt }) => lastAt)) + freshForMs(config);
}

/** Failures in a row at the location that has seen most of them; 0 when all is well. */
export const consecutiveFailures = (state: MonitorState): number =>
  Object.values(state.locations).reduce(
    (most, { vote, failures }) => (vote === "stale" ? most : Math.max(most, failures)),
    0,
  );

function begin(state: MonitorState, config: StatusConfig, now: number): Step {
  const base = correctState(state, now);
  const step: Step = { draft: { ...base, locations: { ...base.locations } }, config, now, events: [] };
  if (config.maintenance !== state.maintenance) crossMaintenance(step);
  return step;
}

const lastVoteAt = (state: MonitorState): number =>
  Math.max(0, ...Object.values(state.locations).map(({ lastAt }) => lastAt));

/** Nothing fresh: unknown since the last vote ran out, announced once, and never an outage. */
function stopIfSilent(step: Step, isNotified: boolean): boolean {
  const { draft, config, now } = step;
  const last = lastVoteAt(draft);
  if (countVotes(draft, config, now).fresh > 0) return false;
  if (draft.status !== "unknown") {
    const reason = msg("watch.silent");
    changeStatus(step, "unknown", last + freshForMs(config), reason, null);
    if (isNotified && notify(step, "monitor.stopped", draft.historyAt, reason)) draft.stopNotified = true;
  }
  return true;
}
