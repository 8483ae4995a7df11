import { sql } from "kysely";
import type { Migration } from "kysely/migration";

/** Whether a page's owners had an address asked: what they import does not count against visitors. */
export const questionsOfLists: Migration = {
  async up(db) {
    await sql`alter table status_page_questions add column is_listed integer not null default 0`.execute(db);
  },
};
