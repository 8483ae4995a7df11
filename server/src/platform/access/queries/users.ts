import type { Db } from "../../database/schema.ts";
import { lockRows } from "../../database/sql.ts";
import type { MailedTokenTable } from "../../database/tables/accounts.ts";
import { normalizeEmail } from "../../formats/name.ts";
import type { Language } from "../../i18n/render.ts";
import type { Theme } from "../caller.ts";
import type { Role } from "../roles-and-scopes.ts";

export interface User {
  id: number;
  uuid: string;
  /** Lower case. */
  email: string;
  name: string;
  passwordHash: string;
  /** Sealed base32 secret; null while two-factor sign-in is off. */
  totpSecret: string | null;
  /** Sealed secret shown to the person but not confirmed with a code yet. */
  totpPending: string | null;
  /** The time step of the last one-time code used. */
  totpLastStep: number;
  /** How the app looks and speaks to them; null: as their browser says. */
  language: Language | null;
  theme: Theme | null;
  timeZone: string | null;
  /** Those of the browser that they used last; null: not known. */
  seenLanguage: Language | null;
  seenTimeZone: string | null;
}

const columns = [
  "id",
  "uuid",
  "email",
  "name",
  "password_hash as passwordHash",
  "totp_secret as totpSecret",
  "totp_pending as totpPending",
  "totp_last_step as totpLastStep",
  "language",
  "theme",
  "time_zone as timeZone",
  "seen_language as seenLanguage",
  "seen_time_zone as seenTimeZone",
] as const;

export const findUserByEmail = (db: Db, email: string): Promise<User | undefined> =>
  db.selectFrom("users").select(columns).where("email", "=", normalizeEmail(email)).executeTakeFirst();

export const findUser = (db: Db, id: number): Promise<User | undefined> =>
  db.selectFrom("users").select(columns).where("id", "=", id).executeTakeFirst();

/** Locked until the transaction ends, so that the password does not change meanwhile. */
export const lockUser = (trx: Db, id: number): Promise<User | undefined> =>
  lockRows(trx, trx.selectFrom("users").select(columns).where("id", "=", id)).executeTakeFirst();

export interface ListedUser {
  email: string;
  name: string;
  twoFactor: boolean;
  createdAt: number;
  organizations: { slug: string; role: Role }[];
}

export async function listUsers(db: Db): Promise<ListedUser[]> {
  const users = await db
    .selectFrom("users")
    .select(["id", "email", "name", "totp_secret as totpSecret", "created_at as createdAt"])
    .orderBy("email")
    .execute();
  const memberships = await db
    .selectFrom("memberships")
    .innerJoin("organizations", "organizations.id", "memberships.organization_id")
    .select(["user_id as userId", "slug", "role"])
    .orderBy("slug")
    .execute();
  const byUser = Map.groupBy(memberships, ({ userId }) => userId);
  return users.map(({ id, totpSecret, ...user }) => ({
    ...user,
    twoFactor: totpSecret !== null,
    organizations: (byUser.get(id) ?? []).map(({ slug, role }) => ({ slug, role })),
  }));
}

export async function isEmailConfirmed(db: Db, id: number): Promise<boolean> {
  const row = await db
    .selectFrom("users")
    .select("id")
    .where("id", "=", id)
    .where("email_confirmed_at", "is not", null)
    .executeTakeFirst();
  return row !== undefined;
}

/** Records the request for confirmation. False where it was sent before, or none is needed: of several that try, one succeeds. */
export async function recordConfirmationRequest(db: Db, id: number, now: number): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable("users")
    .set({ email_confirmation_requested_at: now })
    .where("id", "=", id)
    .where("email_confirmation_requested_at", "is", null)
    .where("email_confirmed_at", "is", null)
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

export type Purpose = MailedTokenTable["purpose"];

export interface MailedToken {
  userId: number;
  purpose: Purpose;
  tokenHash: string;
  email: string;
  /** Milliseconds. */
  expiresAt: number;
}

export async function insertMailedToken(db: Db, token: MailedToken, now: number): Promise<void> {
  await db
    .insertInto("mailed_tokens")
    .values({
      user_id: token.userId,
      purpose: token.purpose,
      token_hash: token.tokenHash,
      email: token.email,
      created_at: now,
      expires_at: token.expiresAt,
    })
    .execute();
}

const which = (db: Db, purpose: Purpose, tokenHash: string, now: number) =>
  db
    .selectFrom("mailed_tokens")
    .select(["user_id as userId", "email"])
    .where("token_hash", "=", tokenHash)
    .where("purpose", "=", purpose)
    .where("expires_at", ">", now);

/** Undefined: expired, used or never made. */
export const findMailedToken = (
  db: Db,
  { purpose, tokenHash }: Pick<MailedToken, "purpose" | "tokenHash">,
  now: number,
): Promise<Pick<MailedToken, "userId" | "email"> | undefined> =>
  which(db, purpose, tokenHash, now).executeTakeFirst();

/** False when it expired, or was used already. */
export async function useMailedToken(
  db: Db,
  { purpose, tokenHash }: Pick<MailedToken, "purpose" | "tokenHash">,
  now: number,
): Promise<boolean> {
  const result = await db
    .deleteFrom("mailed_tokens")
    .where("token_hash", "=", tokenHash)
    .where("purpose", "=", purpose)
    .where("expires_at", ">", now)
    .executeTakeFirst();
  return result.numDeletedRows > 0n;
}

/** Of every purpose unless one is given. */
export async function deleteMailedTokens(db: Db, userId: number, purpose?: Purpose): Promise<void> {
  const own = db.deleteFrom("mailed_tokens").where("user_id", "=", userId);
  await (purpose === undefined ? own : own.where("purpose", "=", purpose)).execute();
}
