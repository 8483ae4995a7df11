import type { ProbeResult } from "../probe/link.ts";
import type { LastCheck, WatchedMonitor } from "../store/queries/states.ts";
import type { ChangedMonitor } from "./changed-monitor.ts";
import { applyResult } from "./rules.ts";
import { isOfFormerTarget } from "./vote.ts";

/** As `results.outcome` stores a verdict (store/schema/results.ts). */
export const OUTCOMES = { ok: 0, failed: 1, degraded: 2, probe_fault: 3 } as const;

/** Advances one monitor by its new results, oldest first. */
export function applyResults(
  before: WatchedMonitor,
  results: readonly ProbeResult[],
  now: number,
): ChangedMonitor {
  const monitor = { ...before };
  const changed: ChangedMonitor = { monitor, events: [] };
  for (const result of results.toSorted((a, b) => a.scheduledAt - b.scheduledAt)) {
    const { location, scheduledAt, revision, verdict, reason } = result;
    const vote = { location, at: scheduledAt, revision, verdict, reason };
    const { state, events } = applyResult(monitor.state, vote, monitor.config, now);
    monitor.state = state;
    changed.events.push(...events);
    if (verdict === "probe_fault" || isOfFormerTarget(state, result)) continue;
    if ((monitor.last.at ?? 0) <= scheduledAt) monitor.last = lastCheck(result);
  }
  return changed;
}

function lastCheck(result: ProbeResult): LastCheck {
  const { location, address, protocol, phases, reasonCode, reason } = result;
  return {
    at: result.scheduledAt,
    outcome: OUTCOMES[result.verdict],
    statusCode: result.statusCode,
    totalUs: phases.totalUs,
    result: JSON.stringify({ location, address, protocol, phases, reasonCode, reason }),
  };
}
