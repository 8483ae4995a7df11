import { type Selectable, sql } from "kysely";
import type { Db } from "../../platform/database/schema.ts";
import { idIn } from "../../platform/database/sql.ts";
import type { NotificationSettingsTable } from "../../platform/database/tables/notifications.ts";
import { type MessageDescriptor, messageJson, parseMessage } from "../../platform/i18n/message.ts";
import type { KnownReader } from "../../platform/i18n/reader.ts";
import {
  type NotificationSettings,
  type OwnTarget,
  type ReportMailKind,
  USUAL_SETTINGS,
} from "../people/settings.ts";
import { lockAddress } from "./outbox.ts";

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
  sealed === null ? null : { sealed, host: host ?? "", ended: parseMessage(ended) };

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

/** Since when the user wants reports by mail, if they do. */
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
const endOf = (target: OwnTarget | null): string | null => messageJson(target?.ended ?? null);

/** Somewhere of a person's own takes nothing more. */
export async function endOwnTarget(
  db: Db,
  userId: number,
  type: "slack" | "webhook",
  why: MessageDescriptor,
): Promise<void> {
  const ended = messageJson(why);
  await db
    .updateTable("notification_settings")
    .set(type === "slack" ? { slack_ended: ended } : { webhook_ended: ended })
    .where("user_id", "=", userId)
    .execute();
}

/** A person's channels, of which something else may be wanted now. */
export const listOwn = (trx: Db, userId: number): Promise<{ id: number; organizationId: number }[]> =>
  trx
    .selectFrom("channels")
    .select(["id", "organization_id as organizationId"])
    .where("user_id", "=", userId)
    .orderBy("id")
    .execute();

/** A user who wants reports of a kind by mail. */
export interface ReportReader extends KnownReader {
  userId: number;
  email: string;
  /** Since when, milliseconds. */
  since: number;
  /** Whether the address is known to be theirs. */
  isConfirmed: boolean;
}

const SINCE = { weekly: "weekly_reports_since", monthly: "monthly_reports_since" } as const;

/** All of them, by id. `userId`: that one alone. */
export async function listReportReaders(
  db: Db,
  kind: ReportMailKind,
  { userId }: { userId?: number } = {},
): Promise<ReportReader[]> {
  const all = db
    .selectFrom("notification_settings as wanted")
    .innerJoin("users", "users.id", "wanted.user_id")
    .select(["users.id as userId", "users.email", "users.language", "users.time_zone as timeZone"])
    .select(["users.seen_language as seenLanguage", "users.seen_time_zone as seenTimeZone"])
    .select(["users.email_confirmed_at as confirmedAt", `wanted.${SINCE[kind]} as since`])
    .where(`wanted.${SINCE[kind]}`, "is not", null)
    .orderBy("users.id")
    .$narrowType<{ since: number }>();
  const rows = await (userId === undefined ? all : all.where("users.id", "=", userId)).execute();
  return rows.map(({ confirmedAt, ...same }) => ({ ...same, isConfirmed: confirmedAt !== null }));
}

/** A report that a person has not got yet. */
export interface MissingReport {
  userId: number;
  organizationId: number;
  organization: string;
  organizationUuid: string;
}

/**
 * The organizations of these people that have reports, to which they belonged by `dueAt` (milliseconds), and whose report
 * of that period they have not got.
 */
export async function listMissingReports(
  db: Db,
  userIds: readonly number[],
  { kind, period, dueAt }: { kind: ReportMailKind; period: string; dueAt: number },
): Promise<MissingReport[]> {
  return db
    .selectFrom("memberships as member")
    .innerJoin("organizations", "organizations.id", "member.organization_id")
    .leftJoin("report_mails as sent", (join) =>
      join
        .onRef("sent.user_id", "=", "member.user_id")
        .onRef("sent.organization_id", "=", "member.organization_id")
        .on("sent.kind", "=", kind)
        .on("sent.period", "=", period),
    )
    .select(["member.user_id as userId", "organizations.id as organizationId"])
    .select(["organizations.name as organization", "organizations.uuid as organizationUuid"])
    .where(idIn("member.user_id", userIds))
    .where("member.created_at", "<=", dueAt)
    .where("organizations.reports", "=", 1)
    .where("organizations.deletes_at", "is", null)
    .where("sent.user_id", "is", null)
    .orderBy("organizations.id")
    .orderBy("member.user_id")
    .execute();
}

/** Notes that a person gets a report now; of two that do so at once, one does. Returns whether it was this one. */
export async function claimReportMail(
  trx: Db,
  { userId, organizationId, kind, period }: MissingReport & { kind: ReportMailKind; period: string },
  now: number,
): Promise<boolean> {
  const claimed = await trx
    .insertInto("report_mails")
    .values({ user_id: userId, organization_id: organizationId, kind, period, sent_at: now })
    .onConflict((conflict) => conflict.doNothing())
    .returning("user_id")
    .executeTakeFirst();
  return claimed !== undefined;
}

/** A mail that a user has sent to an address that is not known to be theirs. */
interface ExternalMail {
  userId: number;
  organizationId: number;
  recipientHash: string;
}

/** How many were sent since then: by the person and the organization to others, and to the recipient by anybody. */
export interface ExternalMailCounts {
  person: number;
  organization: number;
  recipient: number;
}

/** Counts after everybody who counts the same at this moment, until the end of the transaction. */
export async function countExternalMails(
  trx: Db,
  { userId, organizationId, recipientHash, ownHash }: ExternalMail & { ownHash: string },
  since: number,
): Promise<ExternalMailCounts> {
  const columns = {
    person: "user_id",
    organization: "organization_id",
    recipient: "recipient_hash",
  } as const;
  const values = { person: userId, organization: organizationId, recipient: recipientHash };
  const counts: ExternalMailCounts = { person: 0, organization: 0, recipient: 0 };
  for (const whose of ["recipient", "person", "organization"] as const) {
    await lockAddress(trx, `${whose} ${values[whose]}`);
    const { count } = await trx
      .selectFrom("external_mails")
      .select(({ fn }) => fn.countAll<number>().as("count"))
      .where(columns[whose], "=", values[whose])
      .where("at", ">", since)
      .$if(whose !== "recipient", (query) => query.where("recipient_hash", "!=", ownHash))
      .executeTakeFirstOrThrow();
    counts[whose] = Number(count);
  }
  return counts;
}

/** Notes that one is sent. */
export async function recordExternalMail(
  trx: Db,
  { userId, organizationId, recipientHash }: ExternalMail,
  at: number,
): Promise<void> {
  const row = { user_id: userId, organization_id: organizationId, recipient_hash: recipientHash, at };
  await trx.insertInto("external_mails").values(row).execute();
}
