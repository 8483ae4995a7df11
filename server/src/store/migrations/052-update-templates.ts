import type { Migration } from "kysely/migration";
import { createIndex, createTable, references } from "../ddl.ts";

/** What people prepare for telling visitors of incidents. */
export const updateTemplates: Migration = {
  async up(db) {
    await createTable(
      db,
      "update_templates",
      {
        id: "id",
        uuid: "text",
        organization_id: "bigint",
        name: "text",
        texts: "text",
        created_at: "bigint",
        updated_at: "bigint",
      },
      ["unique (uuid)", references("organization_id", "organizations")],
    );
    await createIndex(db, "index update_templates_organization on update_templates (organization_id, id)");
  },
};
