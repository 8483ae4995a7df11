import { sql } from "kysely";
import type { Migration } from "kysely/migration";
import { createIndex, createTable, references } from "../ddl.ts";

/** What jobs tell beside that they have run: that one has started, and what it has to say. */
export const heartbeats: Migration = {
  async up(db) {
    await createTable(
      db,
      "heartbeat_runs",
      { monitor_id: "bigint", run: "text", started_at: "bigint", late_at: "bigint?" },
      ["primary key (monitor_id, run)", references("monitor_id", "monitors"), "without rowid"],
    );
    await createIndex(db, "index heartbeat_runs_late on heartbeat_runs (late_at) where late_at is not null");
    await createTable(
      db,
      "heartbeat_signals",
      {
        id: "id",
        monitor_id: "bigint",
        told_at: "bigint",
        signal: "text",
        exit_code: "integer?",
        run: "text",
        message: "text?",
        cut: "integer",
      },
      [references("monitor_id", "monitors")],
    );
    await createIndex(db, "index heartbeat_signals_monitor on heartbeat_signals (monitor_id, told_at, id)");
    // Of monitors that are told it now says when they are due: looked at once, it is as it should be.
    await sql`update monitor_states set stale_at = 0 where last_check_at is not null and monitor_id in (
      select id from monitors where type = 'heartbeat')`.execute(db);
  },
};
