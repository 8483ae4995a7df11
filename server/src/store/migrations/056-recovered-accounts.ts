import { sql } from "kysely";
import type { Migration } from "kysely/migration";

/** When an account was last given back to its person. */
export const recoveredAccounts: Migration = {
  async up(db) {
    await sql`alter table users add column recovered_at bigint`.execute(db);
  },
};
