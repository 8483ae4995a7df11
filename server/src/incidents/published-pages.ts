import type { Db } from "../platform/database/db.ts";
import { invalidInput } from "../platform/errors.ts";
import { msg } from "../platform/i18n/message.ts";
import { findPageIds, findPageUuids, type IncidentUpdate } from "./queries/incident-updates.ts";
import { projectIncidentUpdate } from "./schemas/incident-changes.ts";

type Shown = ReturnType<typeof projectIncidentUpdate>;

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

/** Entries of one organization's log, with their pages by uuid. */
export async function showUpdates(db: Db, updates: readonly IncidentUpdate[]): Promise<Shown[]> {
  const uuids = await findPageUuids(db, [...new Set(updates.flatMap(({ pageIds }) => pageIds ?? []))]);
  return updates.map(({ pageIds, ...update }) =>
    projectIncidentUpdate({ ...update, pages: pageIds && pageIds.flatMap((id) => uuids.get(id) ?? []) }),
  );
}

/** One entry. */
export async function showUpdate(db: Db, update: IncidentUpdate): Promise<Shown> {
  const [shown] = await showUpdates(db, [update]);
  return shown as Shown;
}
