import { sql } from "kysely";
import type { Migration } from "kysely/migration";

/** What was touched, by the name it had then: a domain that is gone cannot be asked for it. */
export const auditSubject: Migration = {
  async up(db) {
    await sql`alter table audit_log add column subject text`.execute(db);
  },
};
