import type { HealthLevel } from "../../device/rules.ts";
import type { Db } from "../db.ts";

/** How an organization's devices are doing. */
export interface DeviceCounts {
  total: number;
  online: number;
  healthy: number;
  warning: number;
  critical: number;
}

/** Counts them; health counts of those that are online. */
export async function countDevices(db: Db, organizationId: number): Promise<DeviceCounts> {
  const rows = await db
    .selectFrom("monitors")
    .innerJoin("devices", "devices.monitor_id", "monitors.id")
    .leftJoin("monitor_states", "monitor_states.monitor_id", "monitors.id")
    .select((select) => ["devices.health", "monitor_states.status", select.fn.countAll<number>().as("count")])
    .where("monitors.organization_id", "=", organizationId)
    .where("monitors.kind", "=", "device")
    .where("monitors.deleted_at", "is", null)
    .groupBy(["devices.health", "monitor_states.status"])
    .execute();
  const sum = (matches: (row: (typeof rows)[number]) => boolean) =>
    rows.filter(matches).reduce((total, { count }) => total + Number(count), 0);
  const isOnline = ({ status }: (typeof rows)[number]) => status === "up" || status === "degraded";
  const ofHealth = (health: HealthLevel) => sum((row) => isOnline(row) && row.health === health);
  return {
    total: sum(() => true),
    online: sum(isOnline),
    healthy: ofHealth("healthy"),
    warning: ofHealth("warning"),
    critical: ofHealth("critical"),
  };
}

/** Incidents that are open and affect a device of the organization. */
export async function countDeviceIncidents(db: Db, organizationId: number): Promise<number> {
  const { count } = await db
    .selectFrom("incidents")
    .select((select) => select.fn.countAll<number>().as("count"))
    .where("incidents.organization_id", "=", organizationId)
    .where("incidents.resolved_at", "is", null)
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom("affected_services")
          .innerJoin("monitors", "monitors.id", "affected_services.monitor_id")
          .select("affected_services.incident_id")
          .whereRef("affected_services.incident_id", "=", "incidents.id")
          .where("monitors.kind", "=", "device"),
      ),
    )
    .executeTakeFirstOrThrow();
  return Number(count);
}
