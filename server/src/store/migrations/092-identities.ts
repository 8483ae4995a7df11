import type { Migration } from "kysely/migration";
import { createIndex, createTable, references } from "../ddl.ts";

/** Whom a configured identity provider's subjects are here. */
export const identities: Migration = {
  async up(db) {
    await createTable(
      db,
      "identities",
      { id: "id", issuer: "text", subject: "text", user_id: "bigint", created_at: "bigint" },
      ["unique (issuer, subject)", references("user_id", "users")],
    );
    await createIndex(db, "index identities_user on identities (user_id)");
  },
};
