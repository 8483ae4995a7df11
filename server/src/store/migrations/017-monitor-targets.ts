import { sql } from "kysely";
import type { Migration } from "kysely/migration";
import { createIndex } from "../ddl.ts";

/** What is checked is an address of whatever kind the check is, and a URL only of domains. */
export const monitorTargets: Migration = {
  async up(db) {
    await sql`alter table monitors rename column url to target`.execute(db);
    await sql`alter table monitors rename column display_url to display_target`.execute(db);
    await sql`drop index monitors_url_name`.execute(db);
    await createIndex(
      db,
      "unique index monitors_target_name on monitors (organization_id, kind, target, name) where deleted_at is null",
    );
  },
};
