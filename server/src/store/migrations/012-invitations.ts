import type { Migration } from "kysely/migration";
import { createIndex, createTable, references } from "../ddl.ts";

/** Who is asked to join an organization. By e-mail: whether it has an account is nobody else's business. */
export const invitations: Migration = {
  async up(db) {
    await createTable(
      db,
      "invitations",
      {
        id: "id",
        uuid: "text",
        organization_id: "bigint",
        email: "text",
        role: "text",
        inviter_id: "bigint",
        created_at: "bigint",
        expires_at: "bigint",
      },
      [
        "unique (uuid)",
        "unique (organization_id, email)",
        references("organization_id", "organizations"),
        references("inviter_id", "users"),
      ],
    );
    await createIndex(db, "index invitations_email on invitations (email)");
  },
};
