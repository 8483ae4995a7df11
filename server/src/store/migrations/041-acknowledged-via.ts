import { sql } from "kysely";
import type { Migration } from "kysely/migration";

/** The channel by whose link an incident was acknowledged. */
export const acknowledgedVia: Migration = {
  async up(db) {
    await sql`alter table incidents add column acknowledged_via text`.execute(db);
  },
};
