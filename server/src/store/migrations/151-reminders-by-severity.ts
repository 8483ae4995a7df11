import { sql } from "kysely";
import type { Migration } from "kysely/migration";

/**
 * When channels are reminded is kept as the API calls it. New ones are reminded of what is critical. An organization's stay as they
 * are, since people saw what they were set to; a person's own follow the default: nobody could set them.
 */
export const remindersBySeverity: Migration = {
  async up(db) {
    await sql`alter table channels add column reminder text not null default 'critical'`.execute(db);
    await sql`update channels set reminder = case
      when reminder_minutes >= 240 then '4h' when reminder_minutes >= 60 then '1h'
      when reminder_minutes > 0 then '15m' else 'never' end where user_id is null`.execute(db);
    await sql`alter table channels drop column reminder_minutes`.execute(db);
  },
};
