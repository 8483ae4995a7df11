import { sql } from "kysely";
import type { Migration } from "kysely/migration";
import { createIndex } from "../ddl.ts";

const COLUMNS = {
  outbox: ["digest_id bigint", "held_until bigint", "link_used_at bigint"],
  channels: ["last_sent_at bigint", "previous_sent_at bigint", "reminder_minutes integer not null default 0"],
  channel_threads: ["remind_at bigint"],
};

/** What makes channels tell less: messages that become one, that wait for the channel's hours, and reminders. */
export const quieterChannels: Migration = {
  async up(db) {
    for (const [table, columns] of Object.entries(COLUMNS))
      for (const column of columns)
        await sql`alter table ${sql.table(table)} add column ${sql.raw(column)}`.execute(db);
    await createIndex(db, "index outbox_digest on outbox (digest_id) where digest_id is not null");
    await createIndex(
      db,
      "index channel_threads_remind on channel_threads (remind_at) where remind_at is not null and closed_at is null",
    );
    await createIndex(
      db,
      "index channel_threads_closed on channel_threads (closed_at) where closed_at is not null",
    );
  },
};
