import type { Db } from "../../platform/database/db.ts";
import { isRef, type Ref } from "../../platform/database/ref.ts";
import type { Language } from "../../platform/i18n/languages.ts";
import type { PushTarget } from "../people/settings.ts";

/** A browser that gets notifications. */
export interface PushSubscription {
  id: number;
  uuid: string;
  sessionId: number | null;
  /** SHA-256 of its address, hex: a browser has one. */
  endpointHash: string;
  userAgent: string;
  createdAt: number;
}

/** The same, when it is written. */
export interface NewPushSubscription extends Omit<PushSubscription, "id" | "createdAt"> {
  userId: number;
  /** Encrypted JSON: the address, and the keys that messages to it are encrypted with. */
  address: string;
  /** The app's there, for people who have chosen none. */
  language: Language;
}

/**
 * Saves a subscription; a browser's former one, of any user, gives way. What still waits to be sent to that is not
 * shown to the browser's present user. Call alignOwnChannels afterwards.
 */
export async function saveSubscription(
  db: Db,
  { userId, sessionId, endpointHash, userAgent, ...same }: NewPushSubscription,
  now: number,
): Promise<void> {
  const row = { ...same, user_id: userId, session_id: sessionId, user_agent: userAgent, created_at: now };
  await db
    .insertInto("push_subscriptions")
    .values({ ...row, endpoint_hash: endpointHash })
    .onConflict((conflict) => conflict.column("endpoint_hash").doUpdateSet(row))
    .execute();
  const taken = db.selectFrom("push_subscriptions").select("id").where("endpoint_hash", "=", endpointHash);
  await db
    .deleteFrom("channels")
    .where("push_subscription_id", "in", taken)
    .where("user_id", "!=", userId)
    .execute();
}

const COLUMNS = [
  "id",
  "uuid",
  "session_id as sessionId",
  "endpoint_hash as endpointHash",
  "user_agent as userAgent",
  "created_at as createdAt",
] as const;

const ofPerson = (db: Db, userId: number) =>
  db.selectFrom("push_subscriptions").select(COLUMNS).where("user_id", "=", userId);

/** A person's, oldest first. */
export const listSubscriptions = (db: Db, userId: number): Promise<PushSubscription[]> =>
  ofPerson(db, userId).orderBy("id").execute();

/** One of a person's. */
export const findSubscription = (db: Db, userId: number, ref: Ref): Promise<PushSubscription | undefined> =>
  ofPerson(db, userId).where(isRef("push_subscriptions", ref)).executeTakeFirst();

/** What a person's browsers are reached by, oldest first. */
export const listPushTargets = (db: Db, userId: number): Promise<PushTarget[]> =>
  db
    .selectFrom("push_subscriptions")
    .select(["id", "uuid", "address", "language"])
    .where("user_id", "=", userId)
    .orderBy("id")
    .execute();

/** Removes one of a person's; false where there is none. */
export async function deleteSubscription(
  db: Db,
  { id, userId }: { id: number; userId: number },
): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom("push_subscriptions")
    .where("id", "=", id)
    .where("user_id", "=", userId)
    .executeTakeFirstOrThrow();
  return numDeletedRows > 0n;
}

/** Removes one that its push service knows no more. */
export async function dropSubscription(db: Db, uuid: string): Promise<void> {
  await db.deleteFrom("push_subscriptions").where("uuid", "=", uuid).execute();
}
