import type { Migration } from "kysely/migration";
import { createIndex, createTable, references } from "../ddl.ts";

/** What is to be sent, written with what causes it, so that neither is ever there without the other. */
export const outbox: Migration = {
  async up(db) {
    await createTable(
      db,
      "outbox",
      {
        id: "id",
        uuid: "text",
        organization_id: "bigint?",
        channel: "text",
        recipient: "text",
        content: "text",
        state: "text",
        attempts: "integer",
        next_try_at: "bigint",
        gives_up_at: "bigint",
        failure: "text?",
        created_at: "bigint",
      },
      ["unique (uuid)", references("organization_id", "organizations")],
    );
    await createIndex(db, "index outbox_due on outbox (next_try_at) where state = 'waiting'");
    await createIndex(db, "index outbox_recipient on outbox (recipient, created_at)");
  },
};
