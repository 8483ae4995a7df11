import type { Db } from "../db.ts";

/** Puts these codes, by their hashes, in the place of those that a person has. */
export async function replaceRecoveryCodes(
  db: Db,
  userId: number,
  hashes: readonly string[],
  now: number,
): Promise<void> {
  await db.deleteFrom("recovery_codes").where("user_id", "=", userId).execute();
  if (hashes.length === 0) return;
  await db
    .insertInto("recovery_codes")
    .values(hashes.map((code_hash) => ({ user_id: userId, code_hash, created_at: now })))
    .execute();
}

/** Whether a person has a code of that hash that has not been used yet. */
export async function hasRecoveryCode(db: Db, userId: number, hash: string): Promise<boolean> {
  const row = await db
    .selectFrom("recovery_codes")
    .select("id")
    .where("user_id", "=", userId)
    .where("code_hash", "=", hash)
    .executeTakeFirst();
  return row !== undefined;
}

/** Uses a code up; false when the person has none of that hash. */
export async function useRecoveryCode(db: Db, userId: number, hash: string): Promise<boolean> {
  const result = await db
    .deleteFrom("recovery_codes")
    .where("user_id", "=", userId)
    .where("code_hash", "=", hash)
    .executeTakeFirst();
  return result.numDeletedRows > 0n;
}

/** How many a person has left. */
export async function countRecoveryCodes(db: Db, userId: number): Promise<number> {
  const { count } = await db
    .selectFrom("recovery_codes")
    .select((select) => select.fn.countAll().as("count"))
    .where("user_id", "=", userId)
    .executeTakeFirstOrThrow();
  return Number(count);
}
