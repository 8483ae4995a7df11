import { bigint, flag, id, OF_MONITOR, type RowOf, table, text } from "../table.ts";

export const MAINTENANCE_TABLES = {
  /** When monitors are worked on. Times and durations in milliseconds. */
  maintenance_windows: table({
    columns: {
      id: id(),
      uuid: text().unique(),
      organization_id: bigint().references("organizations"),
      title: text(),
      description: text(),
      starts_at: bigint(),
      duration_ms: bigint(),
      time_zone: text(),
      /** An RFC 5545 rule; null: once. */
      recurrence: text().nullable(),
      until: bigint().nullable(),
      /** JSON (monitors/maintenance/occurrences.ts). */
      exceptions: text(),
      everything: flag(),
      /** JSON array of strings: monitors with any of these. */
      tags: text(),
      /** When its last occurrence ends; null: there is no last one. */
      over_at: bigint().nullable(),
      created_at: bigint(),
      updated_at: bigint(),
    },
    indexes: {
      maintenance_windows_organization: "(organization_id, id)",
      maintenance_windows_over: "(over_at)",
    },
    tenant: "organization_id",
    retention: { days: 400, since: "over_at" },
  }),
  maintenance_monitors: table({
    columns: {
      window_id: bigint().references("maintenance_windows"),
      monitor_id: bigint().references("monitors"),
    },
    primaryKey: ["window_id", "monitor_id"],
    indexes: {
      maintenance_monitors_monitor: "(monitor_id)",
    },
    withoutRowid: true,
    tenant: OF_MONITOR,
    retention: "until deleted",
  }),
};

export type MaintenanceWindowTable = RowOf<(typeof MAINTENANCE_TABLES)["maintenance_windows"]>;
