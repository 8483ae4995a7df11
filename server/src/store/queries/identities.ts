import type { Db } from "../db.ts";

/** A person as an identity provider knows them. */
export interface Identity {
  issuer: string;
  subject: string;
}

/** Whose identity it is here; undefined: nobody's yet. */
export async function findIdentity(db: Db, { issuer, subject }: Identity): Promise<number | undefined> {
  const row = await db
    .selectFrom("identities")
    .select("user_id as userId")
    .where("issuer", "=", issuer)
    .where("subject", "=", subject)
    .executeTakeFirst();
  return row?.userId;
}

/** Keeps whose identity it is; of several that say so, the first counts, and all learn which. */
export async function claimIdentity(
  db: Db,
  { issuer, subject }: Identity,
  userId: number,
  now: number,
): Promise<number> {
  await db
    .insertInto("identities")
    .values({ issuer, subject, user_id: userId, created_at: now })
    .onConflict((conflict) => conflict.columns(["issuer", "subject"]).doNothing())
    .execute();
  return (await findIdentity(db, { issuer, subject })) ?? userId;
}
