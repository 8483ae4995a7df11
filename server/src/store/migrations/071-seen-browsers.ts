import { sql } from "kysely";
import type { Migration } from "kysely/migration";

/** What a person's browser speaks and which zone it lives in, as the app last said: for mails to who has chosen neither. */
export const seenBrowsers: Migration = {
  async up(db) {
    await sql`alter table users add column seen_language text`.execute(db);
    await sql`alter table users add column seen_time_zone text`.execute(db);
  },
};
