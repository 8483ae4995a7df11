import { sql } from "kysely";
import type { Migration } from "kysely/migration";

/** When the other side of a channel last refused a message: refusals count together only while they follow each other. */
export const refusals: Migration = {
  async up(db) {
    await sql`alter table channels add column refused_at bigint`.execute(db);
  },
};
