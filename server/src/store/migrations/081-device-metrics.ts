import type { Migration } from "kysely/migration";
import { createTable, references } from "../ddl.ts";

/** What devices measure: a row a report, until it is packed by the hour and the day. */
export const deviceMetrics: Migration = {
  async up(db) {
    const ofMonitor = references("monitor_id", "monitors");
    await createTable(db, "device_reports", { monitor_id: "bigint", at: "bigint", figures: "blob" }, [
      "primary key (monitor_id, at)",
      ofMonitor,
      "without rowid",
    ]);
    await createTable(
      db,
      "device_packs",
      { monitor_id: "bigint", resolution: "integer", begins_at: "bigint", series: "blob" },
      ["primary key (monitor_id, resolution, begins_at)", ofMonitor],
    );
  },
};
