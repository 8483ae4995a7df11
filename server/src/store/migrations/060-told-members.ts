import { sql } from "kysely";
import type { Migration } from "kysely/migration";

/** Of which outage a notification tells, and what people were told of one that shares its incident, where that was told all the same. */
export const toldMembers: Migration = {
  async up(db) {
    await sql`alter table notifications add column outage_started_at bigint`.execute(db);
    await sql`alter table notifications add column together_fact text`.execute(db);
  },
};
