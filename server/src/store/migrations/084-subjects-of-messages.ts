import { sql } from "kysely";
import type { Migration } from "kysely/migration";
import { createIndex } from "../ddl.ts";

/** What goes to a channel says what it is about, so that it goes there in its order. What waits already has its thread alone. */
export const subjectsOfMessages: Migration = {
  async up(db) {
    await sql`alter table outbox add column subject text`.execute(db);
    await createIndex(
      db,
      "index outbox_subject on outbox (channel_id, subject, id) where state = 'waiting' and subject is not null",
    );
  },
};
