import type { Migration } from "kysely/migration";
import { createIndex, createTable, references } from "../ddl.ts";

/** What assistants have confirmed, and which resources they want to hear of. */
export const assistants: Migration = {
  async up(db) {
    await createTable(db, "spent_confirmations", { id: "id", token_id: "text", expires_at: "bigint" }, [
      "unique (token_id)",
    ]);
    await createIndex(db, "index spent_confirmations_expires on spent_confirmations (expires_at)");
    await createTable(
      db,
      "resource_subscriptions",
      {
        id: "id",
        session_hash: "text",
        user_id: "bigint",
        uri: "text",
        expires_at: "bigint",
      },
      ["unique (session_hash, user_id, uri)", references("user_id", "users")],
    );
    await createIndex(db, "index resource_subscriptions_user on resource_subscriptions (user_id)");
    await createIndex(db, "index resource_subscriptions_expires on resource_subscriptions (expires_at)");
  },
};
