import { sql } from "kysely";
import type { Migration } from "kysely/migration";

/** Rechecks keep a distance that each monitor may set: a service that restarts in a moment is no outage. */
export const recheckDelay: Migration = {
  async up(db) {
    await sql`alter table monitors add column recheck_delay_seconds integer not null default 2`.execute(db);
  },
};
