import type { Db } from "../db.ts";

/** Spends a confirmation: true for one of all that try, on whichever replica. */
export async function spendConfirmation(db: Db, tokenId: string, expiresAt: number): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto("spent_confirmations")
    .values({ token_id: tokenId, expires_at: expiresAt })
    .onConflict((conflict) => conflict.column("token_id").doNothing())
    .executeTakeFirstOrThrow();
  return Number(numInsertedOrUpdatedRows) === 1;
}

/** Whose resources, as which client. */
export interface SubscribingSession {
  sessionHash: string;
  userId: number;
}

/** What a session wants to hear of. */
export async function listSubscribedUris(
  db: Db,
  { sessionHash, userId }: SubscribingSession,
): Promise<string[]> {
  const rows = await db
    .selectFrom("resource_subscriptions")
    .select("uri")
    .where("session_hash", "=", sessionHash)
    .where("user_id", "=", userId)
    .execute();
  return rows.map(({ uri }) => uri);
}

/** Adds one, or lets it last longer. */
export async function subscribeUri(
  db: Db,
  { sessionHash, userId }: SubscribingSession,
  uri: string,
  expiresAt: number,
): Promise<void> {
  await db
    .insertInto("resource_subscriptions")
    .values({ session_hash: sessionHash, user_id: userId, uri, expires_at: expiresAt })
    .onConflict((conflict) =>
      conflict.columns(["session_hash", "user_id", "uri"]).doUpdateSet({ expires_at: expiresAt }),
    )
    .execute();
}

/** Ends one, or all of the session. */
export async function unsubscribeUri(
  db: Db,
  { sessionHash, userId }: SubscribingSession,
  uri?: string,
): Promise<void> {
  const all = db
    .deleteFrom("resource_subscriptions")
    .where("session_hash", "=", sessionHash)
    .where("user_id", "=", userId);
  await (uri === undefined ? all : all.where("uri", "=", uri)).execute();
}

/** Notes that its client has ended a session. */
export async function noteSessionEnded(
  db: Db,
  { sessionHash, userId }: SubscribingSession,
  expiresAt: number,
): Promise<void> {
  await db
    .insertInto("ended_assistant_sessions")
    .values({ session_hash: sessionHash, user_id: userId, expires_at: expiresAt })
    .onConflict((conflict) => conflict.columns(["session_hash", "user_id"]).doNothing())
    .execute();
}

/** Whether its client has ended a session. */
export async function isSessionEnded(db: Db, { sessionHash, userId }: SubscribingSession): Promise<boolean> {
  const row = await db
    .selectFrom("ended_assistant_sessions")
    .select("id")
    .where("session_hash", "=", sessionHash)
    .where("user_id", "=", userId)
    .executeTakeFirst();
  return row !== undefined;
}
