import { sql } from "kysely";
import type { Hours } from "../../notification/channel/filter.ts";
import type { Language } from "../../texts/languages.ts";
import type { Db } from "../db.ts";
import { among } from "../dialect.ts";
import { isRef, type Ref } from "./ref.ts";

/** A browser that is told what happens. */
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

/** What sending to a browser needs. */
export interface PushRecipient {
  userId: number;
  address: string;
  browserLanguage: Language;
  /** As its person chose. */
  language: Language | null;
  timeZone: string | null;
}

/**
 * Keeps a subscription; a browser's former one, whoever's it was, gives way. What still waits to be sent to that is not
 * shown to whoever has the browser now: it goes by the uuid.
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

/** What sending needs, or undefined where there is none any more. */
export const readPushRecipient = (db: Db, uuid: string): Promise<PushRecipient | undefined> =>
  db
    .selectFrom("push_subscriptions")
    .innerJoin("users", "users.id", "push_subscriptions.user_id")
    .select([
      "push_subscriptions.user_id as userId",
      "push_subscriptions.address",
      "push_subscriptions.language as browserLanguage",
      "users.language",
      "users.time_zone as timeZone",
    ])
    .where("push_subscriptions.uuid", "=", uuid)
    .executeTakeFirst();

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

/** A browser as what happens in an organization concerns it. */
export interface Subscriber {
  uuid: string;
  organizationId: number;
  createdAt: number;
  /** Its person's, with a time zone of their own. */
  quietHours: Hours | null;
}

/** The browsers of those who are members now and want it, with the organization by which they are. */
export async function listSubscribers(trx: Db, organizationIds: readonly number[]): Promise<Subscriber[]> {
  const rows = await trx
    .selectFrom("push_subscriptions")
    .innerJoin("memberships", "memberships.user_id", "push_subscriptions.user_id")
    .leftJoin("notification_settings as settings", "settings.user_id", "push_subscriptions.user_id")
    .select([
      "push_subscriptions.uuid",
      "memberships.organization_id as organizationId",
      "push_subscriptions.created_at as createdAt",
      "settings.quiet_hours as quietHours",
    ])
    .where(among(trx, "memberships.organization_id", organizationIds))
    .where(sql<boolean>`coalesce(settings.browser_notifications, 1) = 1`)
    .orderBy("push_subscriptions.id")
    .execute();
  return rows.map(({ quietHours, ...same }) => ({
    ...same,
    quietHours: quietHours === null ? null : (JSON.parse(quietHours) as Hours),
  }));
}
