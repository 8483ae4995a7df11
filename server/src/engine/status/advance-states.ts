import { OUTCOMES } from "../../checks/outcome.ts";
import { isFromWrongClock } from "../../platform/clock.ts";
import type { MessageDescriptor } from "../../platform/i18n/message.ts";
import type { Recheck } from "../probe/directory.ts";
import type { ProbeResult } from "../probe/link.ts";
import type { SeenCertificate } from "../queries/certificates.ts";
import type { LastCheck, WatchedMonitor } from "../queries/states.ts";
import type { StoredBatch } from "../results/store-results.ts";
import { isOfFormerTarget } from "./confirmations.ts";
import { applyResult, applyTime, applyUnknown, applyWindow } from "./rules.ts";
import type { StatusEvent } from "./state.ts";

/**
 * Advances monitors by a batch of their results. Left out: those of which it says nothing new. What was found in a
 * maintenance window that is over by now (the batch's `inWindow`) is no vote: afterwards only a fresh confirmation counts.
 */
export const advanceStates = (
  monitors: readonly WatchedMonitor[],
  { all, newResults, isNew, inWindow }: StoredBatch,
  now: number,
): ChangedMonitor[] =>
  monitors.flatMap((before) => {
    const results = all.get(before.monitorId) ?? [];
    const counted = before.config.maintenance ? results : results.filter((result) => !inWindow.has(result));
    const changed = applyResults(before, counted, now, isNew);
    return newResults.has(before.monitorId) || changed.monitor.state !== before.state ? [changed] : [];
  });

/** Advances monitors by the time that has passed. */
export const advanceByTime = (monitors: readonly WatchedMonitor[], now: number): ChangedMonitor[] =>
  monitors.map((monitor) => {
    const { state, events } = applyTime(monitor.state, monitor.config, now);
    return { monitor: { ...monitor, state }, events };
  });

/** Lets monitors enter or leave a maintenance window, as their settings say. */
export const advanceByWindows = (monitors: readonly WatchedMonitor[], now: number): ChangedMonitor[] =>
  monitors.map((monitor) => {
    const { state, events } = applyWindow(monitor.state, monitor.config, now);
    return { monitor: { ...monitor, state }, events };
  });

/** A monitor of which nothing can be said for the moment; `last`: the look at it that says so. */
export interface UnknownMonitor {
  monitor: WatchedMonitor;
  reason: MessageDescriptor | null;
  last: LastCheck;
}

/** Advances monitors to unknown (applyUnknown). */
export const advanceToUnknown = (unknowns: readonly UnknownMonitor[], now: number): ChangedMonitor[] =>
  unknowns.map(({ monitor, reason, last }) => {
    const { state, events } = applyUnknown(monitor.state, reason, monitor.config, now);
    return { monitor: { ...monitor, state, last }, events };
  });

/** What the batch showed last of each monitor's certificate. */
export const newestCertificates = (
  changes: readonly ChangedMonitor[],
  { newResults }: StoredBatch,
): SeenCertificate[] =>
  changes.flatMap(({ monitor: { monitorId, state } }) => {
    const [newest] = (newResults.get(monitorId) ?? [])
      .filter((result) => result.certificate && !isOfFormerTarget(state, result))
      .toSorted((a, b) => b.scheduledAt - a.scheduledAt);
    return newest?.certificate ? [{ monitorId, seenAt: newest.scheduledAt, report: newest.certificate }] : [];
  });

/**
 * Advances one monitor by its results, oldest first. One that the store has already (`isNew` denies it) is
 * most likely that very result once more. But where its time is later than all that was counted, the store has
 * it from a clock that was wrong: then it is another check, and counts.
 */
function applyResults(
  before: WatchedMonitor,
  results: readonly ProbeResult[],
  now: number,
  isNew: (result: ProbeResult) => boolean = () => true,
): ChangedMonitor {
  const monitor = { ...before };
  const changed: ChangedMonitor = { monitor, events: [] };
  for (const result of results.toSorted((a, b) => a.scheduledAt - b.scheduledAt)) {
    const { location, revision, verdict, reason } = result;
    const scheduledAt = isFromWrongClock(result.scheduledAt, now) ? now : result.scheduledAt;
    const counted = monitor.state.locations[location]?.lastAt ?? Number.POSITIVE_INFINITY;
    if (!isNew(result) && scheduledAt <= counted) continue;
    const vote = { location, at: scheduledAt, revision, verdict, reason };
    const { state, events } = applyResult(monitor.state, vote, monitor.config, now);
    monitor.state = state;
    changed.events.push(...events);
    if (verdict === "probe_fault" || isOfFormerTarget(state, result)) continue;
    const lastAt = monitor.last.at ?? 0;
    if (lastAt <= scheduledAt || isFromWrongClock(lastAt, now))
      monitor.last = { ...lastCheck(result), at: scheduledAt };
  }
  return changed;
}

/** What is stored of the newest result. */
export function lastCheck(result: ProbeResult): LastCheck {
  const { location, address, protocol, phases, reason, message } = result;
  return {
    at: result.scheduledAt,
    outcome: OUTCOMES[result.verdict].stored,
    statusCode: result.statusCode,
    totalUs: phases.totalUs,
    result: JSON.stringify({ location, address, protocol, phases, reason, message }),
  };
}

/** A monitor whose state the rules have just advanced, and what they said on the way, in order. */
export interface ChangedMonitor {
  monitor: WatchedMonitor;
  events: StatusEvent[];
}

/** Where the rules want another check, because what this one said is not confirmed. */
export const rechecksOf = ({ monitor, events }: ChangedMonitor): Recheck[] =>
  events.flatMap((event) =>
    event.type === "recheck" ? { monitorId: monitor.monitorId, location: event.location } : [],
  );
