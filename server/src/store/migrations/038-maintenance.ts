import { sql } from "kysely";
import type { Migration } from "kysely/migration";
import { createIndex, createTable, references } from "../ddl.ts";

/** Maintenance windows, the monitors that some of them name, and until when a monitor is in one. */
export const maintenance: Migration = {
  async up(db) {
    await createTable(
      db,
      "maintenance_windows",
      {
        id: "id",
        uuid: "text",
        organization_id: "bigint",
        title: "text",
        description: "text",
        starts_at: "bigint",
        duration_ms: "bigint",
        time_zone: "text",
        recurrence: "text?",
        until: "bigint?",
        exceptions: "text",
        everything: "integer",
        tags: "text",
        over_at: "bigint?",
        created_at: "bigint",
        updated_at: "bigint",
      },
      ["unique (uuid)", references("organization_id", "organizations")],
    );
    await createIndex(
      db,
      "index maintenance_windows_organization on maintenance_windows (organization_id, id)",
    );
    await createIndex(db, "index maintenance_windows_over on maintenance_windows (over_at)");
    await createTable(db, "maintenance_monitors", { window_id: "bigint", monitor_id: "bigint" }, [
      "primary key (window_id, monitor_id)",
      references("window_id", "maintenance_windows"),
      references("monitor_id", "monitors"),
      "without rowid",
    ]);
    await createIndex(db, "index maintenance_monitors_monitor on maintenance_monitors (monitor_id)");
    await sql`alter table monitor_states add column maintenance_until bigint`.execute(db);
    await createIndex(
      db,
      "index monitor_states_maintenance on monitor_states (monitor_id) where maintenance_until is not null",
    );
  },
};
