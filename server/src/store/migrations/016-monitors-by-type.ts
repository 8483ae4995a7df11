import { sql } from "kysely";
import type { Migration } from "kysely/migration";

/** Heartbeats are looked for every second, among all monitors that are not. */
export const monitorsByType: Migration = {
  async up(db) {
    await sql`create index monitors_type on monitors (type)`.execute(db);
  },
};
