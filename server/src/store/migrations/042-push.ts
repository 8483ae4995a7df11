import type { Migration } from "kysely/migration";
import { createIndex, createTable, references } from "../ddl.ts";

/** The browsers in which people want to be told what happens. */
export const pushSubscriptions: Migration = {
  async up(db) {
    await createTable(
      db,
      "push_subscriptions",
      {
        id: "id",
        uuid: "text",
        user_id: "bigint",
        session_id: "bigint?",
        endpoint_hash: "text",
        address: "text",
        user_agent: "text",
        language: "text",
        created_at: "bigint",
      },
      ["unique (uuid)", "unique (endpoint_hash)", references("user_id", "users")],
    );
    await createIndex(db, "index push_subscriptions_user on push_subscriptions (user_id, id)");
    await createIndex(
      db,
      "index push_subscriptions_session on push_subscriptions (session_id) where session_id is not null",
    );
  },
};
