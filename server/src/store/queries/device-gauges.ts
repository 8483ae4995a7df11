import { sql } from "kysely";
import type { HealthLevel } from "../../device/rules.ts";
import type { Db } from "../db.ts";
import type { LatestFigures } from "./devices.ts";
import { readByNumber } from "./read-by-number.ts";

/** What /metrics shows of a device beside what it shows of every monitor. Times in milliseconds. */
export interface DeviceGauge {
  id: number;
  intervalSeconds: number;
  reportedAt: number | null;
  health: HealthLevel | null;
  /** What lists show; null: it has never reported. */
  latest: LatestFigures | null;
  /** The newest report (device/metrics/figures.ts); null where it is packed already. */
  figures: Uint8Array | null;
}

/** Reports are some kilobytes each. */
const PAGE = 200;

/** Every device with its newest report, or those of one organization, by number. */
export async function readDeviceGauges(db: Db, organizationId: number | null): Promise<DeviceGauge[]> {
  const rows = await readByNumber(PAGE, (afterId) => pageOfGauges(db, organizationId, afterId));
  return rows.map((row) => ({
    ...row,
    latest: row.latest === null ? null : (JSON.parse(row.latest) as LatestFigures),
    health: row.health as HealthLevel | null,
  }));
}

function pageOfGauges(db: Db, organizationId: number | null, afterId: number) {
  const query = db
    .selectFrom("devices")
    .innerJoin("monitors", "monitors.id", "devices.monitor_id")
    .select([
      "monitors.id",
      "monitors.interval_seconds as intervalSeconds",
      "devices.reported_at as reportedAt",
      "devices.health",
      "devices.latest",
      sql<Uint8Array | null>`(select figures from device_reports
        where device_reports.monitor_id = devices.monitor_id order by at desc limit 1)`.as("figures"),
    ])
    .where("monitors.id", ">", afterId)
    .where("monitors.deleted_at", "is", null)
    .orderBy("monitors.id")
    .limit(PAGE);
  return (
    organizationId === null ? query : query.where("monitors.organization_id", "=", organizationId)
  ).execute();
}
