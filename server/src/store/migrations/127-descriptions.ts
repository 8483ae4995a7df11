import { sql } from "kysely";
import type { Migration } from "kysely/migration";

/** Monitors have a description: what people should know of them. */
export const descriptions: Migration = {
  async up(db) {
    await sql`alter table monitors add column description text not null default ''`.execute(db);
  },
};
