import type { Migration } from "kysely/migration";
import { createIndex, createTable, references } from "../ddl.ts";

/** Slugs that status pages had before, at which they are found still. */
export const formerSlugs: Migration = {
  async up(db) {
    await createTable(
      db,
      "status_page_former_slugs",
      { slug: "text", organization_id: "bigint", page_id: "bigint", given_up_at: "bigint" },
      ["primary key (slug)", references("page_id", "status_pages")],
    );
    await createIndex(
      db,
      "index status_page_former_slugs_page on status_page_former_slugs (page_id, given_up_at)",
    );
  },
};
