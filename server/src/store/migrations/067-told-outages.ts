import { sql } from "kysely";
import type { Migration } from "kysely/migration";

/** Which outages a channel was told of in a thread. Of those from before nobody knows: they are told again where that matters. */
export const toldOutages: Migration = {
  async up(db) {
    await sql`alter table channel_threads add column told_outages text not null default '[]'`.execute(db);
  },
};
