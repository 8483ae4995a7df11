import { sql } from "kysely";
import type { Migration } from "kysely/migration";

/** A page of the audit log is read off its index, wherever it begins: entries of one time have an order, too. */
export const auditPages: Migration = {
  async up(db) {
    await sql`drop index audit_log_organization`.execute(db);
    await sql`create index audit_log_organization on audit_log (organization_id, at, id)`.execute(db);
  },
};
