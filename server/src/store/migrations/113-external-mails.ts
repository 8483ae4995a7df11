import type { Migration } from "kysely/migration";
import { createIndex, createTable, references } from "../ddl.ts";

/** Mails that people had sent to addresses of others, so that nobody uses an installation as a mail relay. */
export const externalMails: Migration = {
  async up(db) {
    await createTable(
      db,
      "external_mails",
      { id: "id", user_id: "bigint", organization_id: "bigint", recipient_hash: "text", at: "bigint" },
      [references("user_id", "users"), references("organization_id", "organizations")],
    );
    await createIndex(db, "index external_mails_user on external_mails (user_id, at)");
    await createIndex(db, "index external_mails_organization on external_mails (organization_id, at)");
    await createIndex(db, "index external_mails_recipient on external_mails (recipient_hash, at)");
    await createIndex(db, "index external_mails_at on external_mails (at)");
  },
};
