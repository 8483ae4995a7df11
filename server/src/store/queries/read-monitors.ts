import type { Db } from "../db.ts";
import { idIn } from "../dialect.ts";
import { type Monitor, monitorOf, withParents } from "./monitors.ts";

/** The settings of those of these monitors that the organization has, by their ids. */
export async function readMonitors(
  db: Db,
  organizationId: number,
  ids: readonly number[],
): Promise<Map<number, Monitor>> {
  const rows = await withParents(db)
    .where(idIn("id", ids))
    .where("organization_id", "=", organizationId)
    .where("deleted_at", "is", null)
    .execute();
  return new Map(rows.map((row) => [row.id, monitorOf(row)]));
}
