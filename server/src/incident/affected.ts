import type { AffectedService } from "../store/queries/affected-services.ts";

/** What a change says of what an incident affects: one of them, or both. */
export interface AffectedChange {
  /** Monitors under their present names. */
  monitors?: readonly { monitorId: number; name: string }[] | undefined;
  names?: readonly string[] | undefined;
}

/** What to add to an incident's affected things, and which of them leave. */
export interface AffectedDifference<Known> {
  added: AffectedService[];
  removed: Known[];
}

/**
 * How a change becomes true. What is not spoken of stays; so does whatever has an outage of its own in the incident,
 * and a monitor keeps the name that it had. A name that a monitor in the list has means that monitor.
 */
export function changeAffected<Known extends AffectedService>(
  known: readonly Known[],
  { monitors, names }: AffectedChange,
): AffectedDifference<Known> {
  const wantedIds = monitors && new Set(monitors.map(({ monitorId }) => monitorId));
  const wantedNames = names && new Set(names);
  const stays = (one: Known) => {
    if (one.outageStartedAt != null) return true;
    if (one.monitorId === null) return wantedNames?.has(one.name) ?? true;
    return wantedIds?.has(one.monitorId) ?? wantedNames?.has(one.name) ?? true;
  };
  const kept = known.filter(stays);
  const keptIds = new Set(kept.map(({ monitorId }) => monitorId));
  const newMonitors = (monitors ?? []).filter(({ monitorId }) => !keptIds.has(monitorId));
  const taken = new Set([...kept, ...newMonitors].map(({ name }) => name));
  const newNames = [...(wantedNames ?? [])].filter((name) => !taken.has(name));
  return {
    added: [...newMonitors, ...newNames.map((name) => ({ monitorId: null, name }))],
    removed: known.filter((one) => !stays(one)),
  };
}
