import { sql } from "kysely";
import type { Migration } from "kysely/migration";

/** A key acts in its own organization unless it was made for all of its person's; those made before do not. */
export const keysOfOneOrganization: Migration = {
  async up(db) {
    await sql`alter table api_keys add column all_organizations integer not null default 0`.execute(db);
  },
};
