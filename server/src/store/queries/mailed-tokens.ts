import type { Db } from "../db.ts";
import type { MailedTokenTable } from "../schema/accounts.ts";

/** What the link of a token is for. */
export type Purpose = MailedTokenTable["purpose"];

/** A link that was sent to an address. */
export interface MailedToken {
  userId: number;
  purpose: Purpose;
  tokenHash: string;
  email: string;
  /** Milliseconds. */
  expiresAt: number;
}

/** Keeps a token by its hash. */
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

/** Whose token it is, and where it was sent to; undefined: expired, used or never made. */
export const findMailedToken = (
  db: Db,
  { purpose, tokenHash }: Pick<MailedToken, "purpose" | "tokenHash">,
  now: number,
): Promise<Pick<MailedToken, "userId" | "email"> | undefined> =>
  which(db, purpose, tokenHash, now).executeTakeFirst();

/** Uses a token up; false when it expired, or somebody else used it first. */
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

/** Makes a person's links worthless, of every purpose unless one is given. */
export async function deleteMailedTokens(db: Db, userId: number, purpose?: Purpose): Promise<void> {
  const own = db.deleteFrom("mailed_tokens").where("user_id", "=", userId);
  await (purpose === undefined ? own : own.where("purpose", "=", purpose)).execute();
}
