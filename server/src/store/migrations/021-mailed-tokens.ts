import type { Migration } from "kysely/migration";
import { createIndex, createTable, references } from "../ddl.ts";

/** Links that are sent by mail, each good for one use: whoever follows one reads what is sent to that address. */
export const mailedTokens: Migration = {
  async up(db) {
    await createTable(
      db,
      "mailed_tokens",
      {
        id: "id",
        user_id: "bigint",
        purpose: "text",
        token_hash: "text",
        email: "text",
        created_at: "bigint",
        expires_at: "bigint",
      },
      ["unique (token_hash)", references("user_id", "users")],
    );
    await createIndex(db, "index mailed_tokens_user on mailed_tokens (user_id)");
  },
};
