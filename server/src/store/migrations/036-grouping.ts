import { sql } from "kysely";
import type { Migration } from "kysely/migration";

const COLUMNS = {
  incidents: ["grouped_by text"],
  affected_services: ["causes text", "joined integer not null default 0"],
};

/** Monitors that fail together for one cause share an incident: by which cause, what may be one, and who joined later. */
export const grouping: Migration = {
  async up(db) {
    for (const [table, columns] of Object.entries(COLUMNS))
      for (const column of columns)
        await sql`alter table ${sql.table(table)} add column ${sql.raw(column)}`.execute(db);
  },
};
