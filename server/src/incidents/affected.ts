import { findMonitorNames } from "../monitors/queries/monitors.ts";
import type { Db } from "../platform/database/db.ts";
import { invalidInput } from "../platform/errors.ts";
import { msg } from "../platform/i18n/message.ts";
import type { AffectedService } from "./queries/affected-services.ts";

/** What a change says of what an incident affects: one of them, or both. */
interface AffectedChange {
  /** Monitors under their present names. */
  monitors?: readonly { monitorId: number; name: string }[] | undefined;
  names?: readonly string[] | undefined;
}

/** What to add to an incident's affected things, and which of them leave. */
interface AffectedDifference<Known> {
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
  const remaining = known.filter(stays);
  const remainingIds = new Set(remaining.map(({ monitorId }) => monitorId));
  const newMonitors = (monitors ?? []).filter(({ monitorId }) => !remainingIds.has(monitorId));
  const taken = new Set([...remaining, ...newMonitors].map(({ name }) => name));
  const newNames = [...(wantedNames ?? [])].filter((name) => !taken.has(name));
  return {
    added: [...newMonitors, ...newNames.map((name) => ({ monitorId: null, name }))],
    removed: known.filter((one) => !stays(one)),
  };
}

/** The organization's monitors of these ids, with their names. Throws 422 for one that it does not have. */
export async function readAffectedMonitors(
  db: Db,
  organizationId: number,
  ids: readonly number[],
): Promise<{ monitorId: number; name: string }[]> {
  const names = new Map(
    (await findMonitorNames(db, organizationId, ids)).map(({ id, name }) => [id, name] as const),
  );
  return ids.map((monitorId) => {
    const name = names.get(monitorId);
    if (name === undefined)
      throw invalidInput({ monitorIds: [msg("incident.no_monitor", { id: monitorId })] });
    return { monitorId, name };
  });
}
