import { sql } from "kysely";
import { alignOwnChannels } from "../../alerts/queries/own-channels.ts";
import type { User } from "../../platform/access/queries/users.ts";
import type { Db } from "../../platform/database/schema.ts";
import { isPostgres } from "../../platform/database/sql.ts";
import { normalizeEmail } from "../../platform/formats/name.ts";
import type { Language } from "../../platform/i18n/render.ts";

/** Any constant: one set-up at a time. */
const SET_UP_LOCK = 7_303_015;

/** False: the installation waits for its set-up. */
export async function hasUsers(db: Db): Promise<boolean> {
  return (await db.selectFrom("users").select("id").limit(1).executeTakeFirst()) !== undefined;
}

/**
 * In the transaction that makes the first account: PostgreSQL's replicas wait for each other here, SQLite has
 * one writer.
 */
export async function claimEmptyInstallation(trx: Db): Promise<boolean> {
  if (isPostgres(trx)) await sql`select pg_advisory_xact_lock(${SET_UP_LOCK})`.execute(trx);
  return !(await hasUsers(trx));
}

/** Undefined when the e-mail is taken. */
export async function insertUser(
  db: Db,
  user: {
    uuid: string;
    email: string;
    name: string;
    passwordHash: string;
    seenLanguage?: Language | undefined;
  },
  now: number,
): Promise<number | undefined> {
  const row = await db
    .insertInto("users")
    .values({
      uuid: user.uuid,
      email: normalizeEmail(user.email),
      name: user.name,
      password_hash: user.passwordHash,
      totp_secret: null,
      seen_language: user.seenLanguage ?? null,
      created_at: now,
      updated_at: now,
    })
    .onConflict((conflict) => conflict.column("email").doNothing())
    .returning("id")
    .executeTakeFirst();
  return row?.id;
}

export async function noteRecovered(db: Db, id: number, now: number): Promise<void> {
  await db.updateTable("users").set({ recovered_at: now }).where("id", "=", id).execute();
}

/** Fields that a person's channels depend on. */
const NOTIFIED_BY = ["email", "name", "language", "timeZone", "seenLanguage", "seenTimeZone"] as const;

export async function updateUser(
  db: Db,
  id: number,
  change: Partial<Omit<User, "id" | "uuid" | "totpLastStep">>,
  now: number,
): Promise<void> {
  await db
    .updateTable("users")
    .set({
      updated_at: now,
      email: change.email,
      name: change.name,
      password_hash: change.passwordHash,
      totp_secret: change.totpSecret,
      totp_pending: change.totpPending,
      language: change.language,
      theme: change.theme,
      time_zone: change.timeZone,
      seen_language: change.seenLanguage,
      seen_time_zone: change.seenTimeZone,
      // The new address is unconfirmed.
      ...(change.email !== undefined && { email_confirmed_at: null, email_confirmation_requested_at: null }),
    })
    .where("id", "=", id)
    .execute();
  if (NOTIFIED_BY.some((field) => change[field] !== undefined)) await alignOwnChannels(db, id, now);
}

/** False when that step, or a later one, was used before. */
export async function useTotpStep(db: Db, userId: number, step: number): Promise<boolean> {
  const result = await db
    .updateTable("users")
    .set({ totp_last_step: step })
    .where("id", "=", userId)
    .where("totp_last_step", "<", step)
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}
