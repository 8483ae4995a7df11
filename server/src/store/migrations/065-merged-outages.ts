import { sql } from "kysely";
import type { Migration } from "kysely/migration";

/** Which outages a person brought to an incident: what the rule says of its members is not said of them. */
export const mergedOutages: Migration = {
  async up(db) {
    await sql`alter table affected_services add column merged integer not null default 0`.execute(db);
  },
};
