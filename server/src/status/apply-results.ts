import { OUTCOMES } from "../check/outcome.ts";
import { isFromWrongClock } from "../clock.ts";
import type { Recheck } from "../probe/directory.ts";
import type { ProbeResult } from "../probe/link.ts";
import type { LastCheck, WatchedMonitor } from "../store/queries/states.ts";
import { isOfFormerTarget } from "./quorum.ts";
import { applyResult } from "./rules.ts";
import type { StatusEvent } from "./state.ts";

/**
 * Advances one monitor by its results, oldest first. One that the store has already (`isNew` denies it) is
 * most likely that very result once more. But where its time is later than all that was counted, the store has
 * it from a clock that was wrong: then it is another check, and counts.
 */
export function applyResults(
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

/** What is kept of a result as the newest. */
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
