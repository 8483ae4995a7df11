import type { Db } from "../db.ts";
import { idIn } from "../dialect.ts";
import { outageKey } from "./notifications.ts";
import type { KnownOutage } from "./thread-outages.ts";

/** The incidents that have the open outages of these monitors now, by `outageKey`. */
export async function listOutageIncidents(
  db: Db,
  monitorIds: readonly number[],
): Promise<Map<string, number>> {
  if (monitorIds.length === 0) return new Map();
  const rows = await db
    .selectFrom("affected_services")
    .select(["monitor_id as monitorId", "outage_started_at as startedAt", "incident_id as incidentId"])
    .where(idIn("monitor_id", monitorIds))
    .where("outage_started_at", "is not", null)
    .where("outage_ended_at", "is", null)
    .$narrowType<KnownOutage>()
    .execute();
  return new Map(rows.map((row) => [outageKey(row), row.incidentId]));
}
