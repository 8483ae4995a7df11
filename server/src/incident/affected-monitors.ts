import { invalidInput } from "../errors.ts";
import type { Db } from "../store/db.ts";
import { findMonitorNames } from "../store/queries/monitors.ts";
import { fact } from "../texts/fact.ts";

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
      throw invalidInput({ monitorIds: [fact("incident.no_monitor", { id: monitorId })] });
    return { monitorId, name };
  });
}
