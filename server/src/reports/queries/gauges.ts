import { sql } from "kysely";
import type { HealthLevel } from "../../monitors/devices/rules.ts";
import type { LatestMetrics } from "../../monitors/queries/devices.ts";
import type { Db } from "../../platform/database/schema.ts";
import { readByNumber } from "../../platform/database/sql.ts";
import type { MonitorKind, Status } from "../../platform/monitor-defaults.ts";

/** Beside the gauges of all monitors. Times in milliseconds. */
export interface DeviceGauge {
  id: number;
  intervalSeconds: number;
  reportedAt: number | null;
  health: HealthLevel | null;
  /** Null: never reported. */
  latest: LatestMetrics | null;
  /** The newest report (devices/metrics/report-metrics.ts); null: packed already. */
  metrics: Uint8Array | null;
}

/** Reports are some kilobytes each. */
const DEVICES_AT_ONCE = 200;

/** By number. */
export async function readDeviceGauges(db: Db, organizationId: number | null): Promise<DeviceGauge[]> {
  const rows = await readByNumber(DEVICES_AT_ONCE, (afterId) =>
    pageOfDeviceGauges(db, organizationId, afterId),
  );
  return rows.map((row) => ({
    ...row,
    latest: row.latest === null ? null : (JSON.parse(row.latest) as LatestMetrics),
    health: row.health as HealthLevel | null,
  }));
}

function pageOfDeviceGauges(db: Db, organizationId: number | null, afterId: number) {
  const query = db
    .selectFrom("devices")
    .innerJoin("monitors", "monitors.id", "devices.monitor_id")
    .select([
      "monitors.id",
      "monitors.interval_seconds as intervalSeconds",
      "devices.reported_at as reportedAt",
      "devices.health",
      "devices.latest",
      sql<Uint8Array | null>`(select metrics from device_reports
        where device_reports.monitor_id = devices.monitor_id order by at desc limit 1)`.as("metrics"),
    ])
    .where("monitors.id", ">", afterId)
    .where("monitors.deleted_at", "is", null)
    .orderBy("monitors.id")
    .limit(DEVICES_AT_ONCE);
  return (
    organizationId === null ? query : query.where("monitors.organization_id", "=", organizationId)
  ).execute();
}

/** Times in milliseconds. */
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
  /** Of the last completed check; microseconds. */
  totalUs: number | null;
  certificateExpiresAt: number | null;
  /** Null: it has none. */
  certificateValid: boolean | null;
}

/** Per batch: ten thousand monitors must not block other requests. */
const MONITORS_AT_ONCE = 1_000;

/** By number. */
export async function readMonitorGauges(db: Db, organizationId: number | null): Promise<MonitorGauge[]> {
  const rows = await readByNumber(MONITORS_AT_ONCE, (afterId) =>
    pageOfMonitorGauges(db, organizationId, afterId),
  );
  return rows.map(gaugeOf);
}

const gaugeOf = (row: Awaited<ReturnType<typeof pageOfMonitorGauges>>[number]): MonitorGauge => ({
  ...row,
  enabled: row.enabled === 1,
  status: row.status ?? "unknown",
  inMaintenance: Number(row.inMaintenance) === 1,
  certificateValid: row.certificateValid === null ? null : row.certificateValid === 1,
});

function pageOfMonitorGauges(db: Db, organizationId: number | null, afterId: number) {
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
    .limit(MONITORS_AT_ONCE);
  return (
    organizationId === null ? query : query.where("monitors.organization_id", "=", organizationId)
  ).execute();
}
