import type { Migration } from "kysely/migration";
import { createTable, references } from "../ddl.ts";

/** For those who have lost the phone that makes their one-time codes. */
export const recoveryCodes: Migration = {
  async up(db) {
    await createTable(
      db,
      "recovery_codes",
      { id: "id", user_id: "bigint", code_hash: "text", created_at: "bigint" },
      ["unique (user_id, code_hash)", references("user_id", "users")],
    );
  },
};
