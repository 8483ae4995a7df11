import { sql } from "kysely";
import type { Migration } from "kysely/migration";

/** Whether it has been decided that a message goes by itself. What waits now is decided anew. */
export const releasedDeliveries: Migration = {
  async up(db) {
    await sql`alter table outbox add column released_at bigint`.execute(db);
  },
};
