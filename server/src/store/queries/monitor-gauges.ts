import { sql } from "kysely";
import type { MonitorKind } from "../../monitor/monitor-defaults.ts";
import type { Status } from "../../status/state.ts";
import type { Db } from "../db.ts";
import { readByNumber } from "./read-by-number.ts";

/** A monitor's state as /metrics shows it. Times in milliseconds. */
export interface MonitorGauge {
  id: number;
  name: string;
  kind: MonitorKind;
  organizationId: number;
  /** Slug. */
  organization: string;
  enabled: boolean;
  status: Status;
  statusSince: number | null;
  inMaintenance: boolean;
  lastCheckAt: number | null;
  /** Of the last check that passed or failed; microseconds. */
  totalUs: number | null;
  certificateExpiresAt: number | null;
  /** Null: it has none. */
  certificateValid: boolean | null;
}

/** How many at once: ten thousand monitors must not hold anybody up. */
const PAGE = 1_000;

/** Every monitor's state, or those of one organization, by number. */
export async function readMonitorGauges(db: Db, organizationId: number | null): Promise<MonitorGauge[]> {
  const rows = await readByNumber(PAGE, (afterId) => pageOfGauges(db, organizationId, afterId));
  return rows.map(gaugeOf);
}

const gaugeOf = (row: Awaited<ReturnType<typeof pageOfGauges>>[number]): MonitorGauge => ({
  ...row,
  enabled: row.enabled === 1,
  status: row.status ?? "unknown",
  inMaintenance: Number(row.inMaintenance) === 1,
  certificateValid: row.certificateValid === null ? null : row.certificateValid === 1,
});

function pageOfGauges(db: Db, organizationId: number | null, afterId: number) {
  const query = db
    .selectFrom("monitors")
    .innerJoin("organizations", "organizations.id", "monitors.organization_id")
    .leftJoin("monitor_states", "monitor_states.monitor_id", "monitors.id")
    .leftJoin("certificates", "certificates.monitor_id", "monitors.id")
    .select([
      "monitors.id",
      "monitors.name",
      "monitors.kind",
      "monitors.enabled",
      "organizations.id as organizationId",
      "organizations.slug as organization",
      "monitor_states.status",
      "monitor_states.status_since as statusSince",
      sql<number>`case when monitor_states.maintenance_until is null then 0 else 1 end`.as("inMaintenance"),
      "monitor_states.last_check_at as lastCheckAt",
      "monitor_states.last_total_us as totalUs",
      "certificates.expires_at as certificateExpiresAt",
      "certificates.valid as certificateValid",
    ])
    .where("monitors.id", ">", afterId)
    .where("monitors.deleted_at", "is", null)
    .orderBy("monitors.id")
    .limit(PAGE);
  return (
    organizationId === null ? query : query.where("monitors.organization_id", "=", organizationId)
  ).execute();
}
