import { sql } from "kysely";
import type { Migration } from "kysely/migration";

/** What was changed from and to, such as a member's role: the sentence alone does not say how much somebody was given. */
export const auditValues: Migration = {
  async up(db) {
    for (const column of ["before", "after"]) {
      await sql`alter table audit_log add column ${sql.ref(column)} text`.execute(db);
    }
  },
};
