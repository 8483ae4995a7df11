import { sql } from "kysely";
import type { Db } from "../db.ts";
import { among } from "../dialect.ts";

/** What decides who is notified of these monitors: their settings, state and window, and the incident that has their open outage. */
export const listMonitorTruths = (trx: Db, ids: readonly number[]) =>
  trx
    .selectFrom("monitors")
    .leftJoin("monitor_states", "monitor_states.monitor_id", "monitors.id")
    .leftJoin("affected_services as outage", (join) =>
      join
        .onRef("outage.monitor_id", "=", "monitors.id")
        .on("outage.outage_started_at", "is not", null)
        .on("outage.outage_ended_at", "is", null),
    )
    .leftJoin("incidents", "incidents.id", "outage.incident_id")
    .select([
      ...(["monitors.id", "monitors.organization_id", "monitors.kind", "monitors.severity"] as const),
      ...(["monitors.tags", "monitors.enabled", "monitors.deleted_at", "monitor_states.rules"] as const),
      ...(["monitor_states.maintenance_until", "incidents.id as incidentId"] as const),
      ...(["incidents.acknowledged_at", "incidents.resolved_at", "outage.outage_started_at"] as const),
    ])
    .where(among(trx, "monitors.id", ids))
    .orderBy("monitors.id")
    .orderBy(sql`outage.id`)
    .execute();
