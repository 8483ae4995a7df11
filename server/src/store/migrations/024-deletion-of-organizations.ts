import { sql } from "kysely";
import type { Migration } from "kysely/migration";

/** An organization waits for its deletion, and its monitors with it: those that were watched are again if it stays. */
export const deletionOfOrganizations: Migration = {
  async up(db) {
    await sql`alter table organizations add column deletes_at bigint`.execute(db);
    await sql`alter table monitors add column suspended integer not null default 0`.execute(db);
  },
};
