import { sql } from "kysely";
import type { Migration } from "kysely/migration";

/** How long an answer took from its first to its last byte; not known of the results that are there. */
export const transfer: Migration = {
  async up(db) {
    await sql`alter table results add column transfer_us bigint`.execute(db);
  },
};
