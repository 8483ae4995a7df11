import type { Migration } from "kysely/migration";
import { createIndex, createTable, references } from "../ddl.ts";

/** Which notifications a person has read. */
export const notificationReads: Migration = {
  async up(db) {
    await createTable(
      db,
      "notification_reads",
      {
        notification_id: "bigint",
        user_id: "bigint",
        organization_id: "bigint",
        and_older: "integer",
        read_at: "bigint",
      },
      [
        "primary key (notification_id, user_id)",
        references("notification_id", "notifications"),
        references("user_id", "users"),
      ],
    );
    await createIndex(
      db,
      "index notification_reads_person on notification_reads (user_id, organization_id, and_older)",
    );
  },
};
