import { sql } from "kysely";
import type { Migration } from "kysely/migration";

/** How the app looks and speaks to a person, wherever they sign in; null: as their browser says. */
export const preferences: Migration = {
  async up(db) {
    for (const column of ["language", "theme", "time_zone"]) {
      await sql`alter table users add column ${sql.ref(column)} text`.execute(db);
    }
  },
};
