import { findAnywhere } from "../platform/access/resolve-organization.ts";
import type { Db } from "../platform/database/db.ts";
import { findOwner } from "../platform/database/ref.ts";
import { invalidInput, notFound, PublicError } from "../platform/errors.ts";
import { msg } from "../platform/i18n/message.ts";
import { parseId, readId } from "../platform/operations/field.ts";
import type { Before, Running } from "../platform/operations/operation.ts";
import { findPageIds } from "./queries/incident-updates.ts";
import { findIncident, type Incident } from "./queries/incidents.ts";

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
