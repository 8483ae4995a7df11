import type { MonitorKind } from "../../monitor/monitor-defaults.ts";
import type { Db } from "../db.ts";

/** The number of the organization's monitor that checks this target in this way, a running one first; null: there is none. */
export async function findMonitorOfTarget(
  db: Db,
  wanted: { organizationId: number; kind: MonitorKind; type: string; target: string },
): Promise<number | null> {
  const row = await db
    .selectFrom("monitors")
    .select("id")
    .where("organization_id", "=", wanted.organizationId)
    .where("kind", "=", wanted.kind)
    .where("type", "=", wanted.type)
    .where("target", "=", wanted.target)
    .where("deleted_at", "is", null)
    .orderBy("enabled", "desc")
    .orderBy("id")
    .executeTakeFirst();
  return row?.id ?? null;
}
