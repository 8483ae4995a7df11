import { sql } from "kysely";
import type { Migration } from "kysely/migration";
import { createIndex, createTable, references } from "../ddl.ts";

/** People get reports by mail, weekly and monthly, each of them once; and since when they want them. */
export const reportMails: Migration = {
  async up(db) {
    const table = sql.table("notification_settings");
    await sql`alter table ${table} add column email_monthly_reports integer not null default 0`.execute(db);
    await sql`alter table ${table} add column weekly_reports_since bigint`.execute(db);
    await sql`alter table ${table} add column monthly_reports_since bigint`.execute(db);
    await sql`update ${table} set weekly_reports_since = updated_at
      where email_weekly_reports = 1 and email_notifications = 1`.execute(db);
    for (const kind of ["weekly", "monthly"]) {
      await createIndex(
        db,
        `index notification_settings_${kind} on notification_settings (user_id) where ${kind}_reports_since is not null`,
      );
    }
    await createTable(
      db,
      "report_mails",
      {
        id: "id",
        user_id: "bigint",
        organization_id: "bigint",
        kind: "text",
        period: "text",
        sent_at: "bigint",
      },
      [references("user_id", "users"), references("organization_id", "organizations")],
    );
    // Of two servers that send one at once, one does.
    await createIndex(
      db,
      "unique index report_mails_once on report_mails (user_id, organization_id, kind, period)",
    );
    await createIndex(db, "index report_mails_sent on report_mails (sent_at)");
    await createIndex(db, "index report_mails_organization on report_mails (organization_id)");
  },
};
