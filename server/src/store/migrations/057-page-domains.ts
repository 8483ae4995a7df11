import { sql } from "kysely";
import type { Migration } from "kysely/migration";
import { createIndex, createTable, references } from "../ddl.ts";

/**
 * Host names that pages claim. Several may claim the same one; `status_pages.custom_domain`, which is unique, is the one that
 * a page has proved and is served at (docs/adr/0049).
 */
export const pageDomains: Migration = {
  async up(db) {
    await createTable(
      db,
      "status_page_domains",
      {
        page_id: "bigint",
        host: "text",
        claimed_at: "bigint",
        checked_at: "bigint?",
        next_check_at: "bigint?",
        failing_since: "bigint?",
        findings: "text?",
      },
      ["primary key (page_id)", references("page_id", "status_pages")],
    );
    await createIndex(
      db,
      "index status_page_domains_due on status_page_domains (next_check_at) where next_check_at is not null",
    );
    await sql`alter table status_pages drop column domain_state`.execute(db);
    await sql`alter table status_pages drop column domain_checked_at`.execute(db);
  },
};
