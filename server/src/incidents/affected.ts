import { findMonitorNames } from "../monitors/queries/monitors.ts";
import { findAnywhere } from "../platform/access/check-access.ts";
import type { Db } from "../platform/database/schema.ts";
import { findOwner } from "../platform/database/sql.ts";
import { invalidInput, notFound, PublicError } from "../platform/errors.ts";
import { msg } from "../platform/i18n/message.ts";
import { parseId, readId } from "../platform/operations/field.ts";
import type { Before, Running } from "../platform/operations/operation.ts";
import type { AffectedService } from "./queries/affected-services.ts";
import { findPageIds } from "./queries/incident-updates.ts";
import { findIncident, type Incident } from "./queries/incidents.ts";

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

/** For a verb's `find`: the incident that an id means, wherever the caller may act. Throws 404. */
export const findIncidentMeant = (ctx: Before, { id }: { id: string }) => {
  const { db } = ctx.store;
  const ref = parseId(id);
  const find = (organizationId: number) => findIncident(db, organizationId, ref);
  return findAnywhere(ctx, find, () => findOwner(db, "incidents", ref));
};

/** What was found, locked as it is now. Throws 404 if it has been deleted since. */
export async function lockIncident({ db }: Pick<Running, "db">, found: Incident): Promise<Incident> {
  const incident = await findIncident(db, found.organizationId, { id: found.id }, { lock: true });
  if (!incident) throw notFound();
  return incident;
}

/** The same, for a change: one that was merged into another has nothing left to change. Throws 409 for it. */
export async function lockForChange(ctx: Pick<Running, "db">, found: Incident): Promise<Incident> {
  const incident = await lockIncident(ctx, found);
  if (incident.mergedIntoId === null) return incident;
  throw new PublicError("conflict", msg("incident.is_merged", { into: incident.mergedIntoId }));
}

/** The number of an entry of an incident, which has no uuid. Throws 404 for text that is none. */
export function readEntryId(text: string): number {
  const ref = readId(text);
  if (!ref || !("id" in ref)) throw notFound();
  return ref.id;
}

/**
 * The status pages that an update is to go to, by their numbers; null: all of what the incident affects. Throws 422 for one
 * that the organization does not have.
 */
export async function readPages(
  db: Db,
  organizationId: number,
  uuids: readonly string[] | null | undefined,
): Promise<number[] | null> {
  if (uuids === null || uuids === undefined) return null;
  const wanted = uuids.map((uuid) => uuid.toLowerCase());
  const ids = await findPageIds(db, organizationId, wanted);
  return [...new Set(wanted)].map((uuid) => {
    const id = ids.get(uuid);
    if (id === undefined) throw invalidInput({ pages: [msg("incident.no_page", { id: uuid })] });
    return id;
  });
}
