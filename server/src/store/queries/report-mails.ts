import type { ReportMailKind } from "../../notification/person/settings.ts";
import type { KnownReader } from "../../texts/reader.ts";
import type { Db } from "../db.ts";
import { idIn } from "../dialect.ts";
import { lockAddress } from "./outbox.ts";

/** Somebody who wants reports of a kind by mail. */
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

/** A mail that somebody has sent to an address that is not known to be theirs. */
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
