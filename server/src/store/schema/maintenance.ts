import type { Generated } from "kysely";
import { OF_MONITOR, table } from "../table.ts";
import type { Flag } from "./values.ts";

/** When monitors are worked on. Times and durations in milliseconds. */
export interface MaintenanceWindowTable {
  id: Generated<number>;
  uuid: string;
  organization_id: number;
  title: string;
  description: string;
  starts_at: number;
  duration_ms: number;
  time_zone: string;
  /** An RFC 5545 rule; null: once. */
  recurrence: string | null;
  until: number | null;
  /** JSON (maintenance/occurrences.ts). */
  exceptions: string;
  everything: Flag;
  /** JSON array of strings: monitors with any of these. */
  tags: string;
  /** When its last occurrence ends; null: there is no last one. */
  over_at: number | null;
  created_at: number;
  updated_at: number;
}

/** A monitor that a window names. */
export interface MaintenanceMonitorTable {
  window_id: number;
  monitor_id: number;
}

/** Tables of maintenance. */
export const MAINTENANCE_TABLES = {
  maintenance_windows: table<MaintenanceWindowTable>({
    tenant: "organization_id",
    retention: { days: 400, since: "over_at" },
  }),
  maintenance_monitors: table<MaintenanceMonitorTable>({ tenant: OF_MONITOR, retention: "kept" }),
};
