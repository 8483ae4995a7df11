import { sql } from "kysely";
import type { Migration } from "kysely/migration";
import { isPostgres } from "../dialect.ts";

/**
 * Packed results, an hour of a monitor at a location in a row. With a rowid on SQLite, unlike the other
 * tables of history: rows of more than a kilobyte would each take a page of their own without.
 */
export const packs: Migration = {
  async up(db) {
    const bytes = sql.raw(isPostgres(db) ? "bytea" : "blob");
    await sql`create table packs (
      monitor_id bigint not null,
      hour_at bigint not null,
      location_id bigint not null,
      data ${bytes} not null,
      primary key (monitor_id, hour_at, location_id)
    )`.execute(db);
  },
};
