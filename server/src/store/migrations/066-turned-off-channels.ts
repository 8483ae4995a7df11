import { sql } from "kysely";
import type { Migration } from "kysely/migration";

/** Since when a channel is off, and who turned it off; no person: Vedette, because the other side refused for good. */
export const turnedOffChannels: Migration = {
  async up(db) {
    await sql`alter table channels add column turned_off_at bigint`.execute(db);
    await sql`alter table channels add column turned_off_by bigint`.execute(db);
    // What refused for good was not changed since: that would have forgotten why.
    await sql`update channels set turned_off_at = updated_at
      where enabled = 0 and user_id is null and disabled_reason is not null`.execute(db);
  },
};
