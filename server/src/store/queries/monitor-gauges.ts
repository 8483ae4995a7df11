import type { Status } from "../../status/state.ts";
import { takeTurns } from "../../turns.ts";
import type { Db } from "../db.ts";

/** A monitor's state as /metrics shows it. */
export interface MonitorGauge {
  id: number;
  name: string;
  kind: string;
  /** Slug. */
  organization: string;
  enabled: boolean;
  status: Status;
  /** Of the last check that passed or failed; microseconds. */
  totalUs: number | null;
  /** Milliseconds. */
  certificateExpiresAt: number | null;
}

/** How many at once: ten thousand monitors must not hold anybody up. */
const PAGE = 1_000;

/** Every monitor's state, or those of one organization. */
export async function readMonitorGauges(db: Db, organizationId: number | null): Promise<MonitorGauge[]> {
  const gauges: MonitorGauge[] = [];
  const giveWay = takeTurns();
  for (let afterId = 0; ; ) {
    const rows = await pageOfGauges(db, organizationId, afterId);
    for (const row of rows) {
      gauges.push({ ...row, enabled: row.enabled === 1, status: row.status ?? "unknown" });
    }
    if (rows.length < PAGE) return gauges;
    afterId = (rows.at(-1) as { id: number }).id;
    await giveWay();
  }
}

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
      "organizations.slug as organization",
      "monitor_states.status",
      "monitor_states.last_total_us as totalUs",
      "certificates.expires_at as certificateExpiresAt",
    ])
    .where("monitors.id", ">", afterId)
    .where("monitors.deleted_at", "is", null)
    .orderBy("monitors.id")
    .limit(PAGE);
  return (
    organizationId === null ? query : query.where("monitors.organization_id", "=", organizationId)
  ).execute();
}
