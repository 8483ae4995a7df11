import { sql } from "kysely";
import type { Migration } from "kysely/migration";
import { createIndex } from "../ddl.ts";

/** Addresses are asked before they are written to. Channels that are there already have been written to: they count as confirmed. */
export const confirmedChannels: Migration = {
  async up(db) {
    await sql`alter table channels add column confirmed_at bigint`.execute(db);
    await sql`update channels set confirmed_at = created_at`.execute(db);
    await sql`alter table users add column email_confirmed_at bigint`.execute(db);
    await createIndex(
      db,
      "index outbox_confirmations on outbox (organization_id, created_at) where event = 'confirmation'",
    );
  },
};
