import { sql } from "kysely";
import type { Migration } from "kysely/migration";
import { createIndex, createTable, references } from "../ddl.ts";

/** What monitors depend on, and of those that are down behind another, which one that is. */
export const parents: Migration = {
  async up(db) {
    await createTable(db, "monitor_parents", { monitor_id: "bigint", parent_id: "bigint" }, [
      "primary key (monitor_id, parent_id)",
      references("monitor_id", "monitors"),
      references("parent_id", "monitors"),
      "without rowid",
    ]);
    await createIndex(db, "index monitor_parents_parent on monitor_parents (parent_id)");
    await sql`alter table monitor_states add column suppressed_by bigint`.execute(db);
    await sql`alter table monitor_states add column suppressed_until bigint`.execute(db);
    await createIndex(
      db,
      "index monitor_states_suppressed on monitor_states (suppressed_by) where suppressed_by is not null",
    );
  },
};
