import { sql } from "kysely";
import type { Migration } from "kysely/migration";
import { createIndex } from "../ddl.ts";

/**
 * Channels that write to an address because it is a member's know that from now on: who leaves is asked. And the link in the
 * mail of an invitation has a code of its own, which proves that its reader has the address.
 */
export const knownAddresses: Migration = {
  async up(db) {
    await sql`alter table channels add column confirmed_as_member integer not null default 0`.execute(db);
    await sql`alter table invitations add column mailed_code_hash text`.execute(db);
    await createIndex(db, "index invitations_mailed_code on invitations (mailed_code_hash)");
  },
};
