import { sql } from "kysely";
import type { Migration } from "kysely/migration";
import { createIndex } from "../ddl.ts";

/** Finds what is still to be decided on, and what may be sent, without reading everything that waits. */
export const undecidedDeliveries: Migration = {
  async up(db) {
    await sql`update outbox set released_at = created_at
      where state = 'waiting' and thread_id is null and event not like 'incident.%'`.execute(db);
    await createIndex(
      db,
      `index outbox_undecided on outbox (channel_id, next_try_at) where state = 'waiting'
        and channel_id is not null and attempts = 0 and released_at is null and digest_id is null`,
    );
    await createIndex(
      db,
      `index outbox_decided on outbox (channel_id, id) where state = 'waiting'
        and digest_id is null and channel_id is not null
        and (attempts > 0 or released_at is not null)`,
    );
    await createIndex(
      db,
      "index outbox_thread on outbox (thread_id, id) where state = 'waiting' and thread_id is not null",
    );
    await sql`drop index outbox_channel_waiting`.execute(db);
  },
};
