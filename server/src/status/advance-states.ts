import type { StoredBatch } from "../result/store-results.ts";
import type { SeenCertificate } from "../store/queries/certificates.ts";
import type { LastCheck, WatchedMonitor } from "../store/queries/states.ts";
import type { MessageDescriptor } from "../texts/message.ts";
import { applyResults, type ChangedMonitor } from "./apply-results.ts";
import { isOfFormerTarget } from "./quorum.ts";
import { applyTime, applyUnknown, applyWindow } from "./rules.ts";

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
