import { type Selectable, sql } from "kysely";
import type { ReportMailKind } from "../../notification/person/report-times.ts";
import {
  type NotificationSettings,
  type OwnTarget,
  USUAL_SETTINGS,
} from "../../notification/person/settings.ts";
import { type Fact, factJson, parseFact } from "../../texts/fact.ts";
import type { Db } from "../db.ts";
import type { NotificationSettingsTable } from "../schema/notices.ts";

/** A person's; the usual where they have said nothing. */
export async function readNotificationSettings(db: Db, userId: number): Promise<NotificationSettings> {
  const row = await db
    .selectFrom("notification_settings")
    .selectAll()
    .where("user_id", "=", userId)
    .executeTakeFirst();
  return row ? fromRow(row) : USUAL_SETTINGS;
}

const fromRow = (row: Selectable<NotificationSettingsTable>): NotificationSettings => ({
  emailNotifications: row.email_notifications === 1,
  browserNotifications: row.browser_notifications === 1,
  emailIncidents: row.email_incidents === 1,
  emailDowntime: row.email_downtime === 1,
  emailWeeklyReports: row.email_weekly_reports === 1,
  emailMonthlyReports: row.email_monthly_reports === 1,
  slackEnabled: row.slack_enabled === 1,
  quietHours: row.quiet_hours === null ? null : JSON.parse(row.quiet_hours),
  slack: targetOf(row.slack, row.slack_target, row.slack_ended),
  webhook: targetOf(row.webhook, row.webhook_target, row.webhook_ended),
});

const targetOf = (sealed: string | null, host: string | null, ended: string | null): OwnTarget | null =>
  sealed === null ? null : { sealed, host: host ?? "", ended: parseFact(ended) };

/** Replaces all of it. */
export async function saveNotificationSettings(
  db: Db,
  userId: number,
  settings: NotificationSettings,
  now: number,
): Promise<void> {
  const { slack, webhook, quietHours } = settings;
  const values = {
    email_notifications: flag(settings.emailNotifications),
    browser_notifications: flag(settings.browserNotifications),
    email_incidents: flag(settings.emailIncidents),
    email_downtime: flag(settings.emailDowntime),
    email_weekly_reports: flag(settings.emailWeeklyReports),
    email_monthly_reports: flag(settings.emailMonthlyReports),
    slack_enabled: flag(settings.slackEnabled),
    quiet_hours: quietHours && JSON.stringify(quietHours),
    slack: slack?.sealed ?? null,
    slack_target: slack?.host ?? null,
    slack_ended: endOf(slack),
    webhook: webhook?.sealed ?? null,
    webhook_target: webhook?.host ?? null,
    webhook_ended: endOf(webhook),
    updated_at: now,
  };
  await db
    .insertInto("notification_settings")
    .values({ user_id: userId, ...values, ...sinceOf(settings, { weekly: now, monthly: now }) })
    .onConflict((conflict) =>
      conflict.column("user_id").doUpdateSet({
        ...values,
        // Who wants them already goes on wanting them.
        ...sinceOf(settings, {
          weekly: sql<number>`coalesce(notification_settings.weekly_reports_since, ${now})`,
          monthly: sql<number>`coalesce(notification_settings.monthly_reports_since, ${now})`,
        }),
      }),
    )
    .execute();
}

/** Since when somebody wants reports by mail, if they do. */
const sinceOf = <Since>(
  { emailNotifications, emailWeeklyReports, emailMonthlyReports }: NotificationSettings,
  since: Record<ReportMailKind, Since>,
) => ({
  weekly_reports_since: emailNotifications && emailWeeklyReports ? since.weekly : null,
  monthly_reports_since: emailNotifications && emailMonthlyReports ? since.monthly : null,
});

/** They say nothing any more. Call alignOwnChannels afterwards. */
export async function deleteNotificationSettings(db: Db, userId: number): Promise<void> {
  await db.deleteFrom("notification_settings").where("user_id", "=", userId).execute();
}

const flag = (is: boolean): 0 | 1 => (is ? 1 : 0);
const endOf = (target: OwnTarget | null): string | null => factJson(target?.ended ?? null);

/** Somewhere of a person's own takes nothing more. */
export async function endOwnTarget(
  db: Db,
  userId: number,
  type: "slack" | "webhook",
  why: Fact,
): Promise<void> {
  const ended = factJson(why);
  await db
    .updateTable("notification_settings")
    .set(type === "slack" ? { slack_ended: ended } : { webhook_ended: ended })
    .where("user_id", "=", userId)
    .execute();
}
