import { randomUUIDv7 } from "node:crypto";
import { insertMany } from "../../platform/database/bulk.ts";
import type { Db } from "../../platform/database/schema.ts";
import { among, isRef, lockRows, type Ref } from "../../platform/database/sql.ts";
import { messageJson } from "../../platform/i18n/message.ts";
import { type KnownReader, readerOfRequest } from "../../platform/i18n/reader.ts";
import type { Language } from "../../platform/i18n/render.ts";
import { ownChannels, type PushTarget } from "../people/settings.ts";
import { noteChannels } from "./alert-events.ts";
import { type Channel, readChannel } from "./channels.ts";
import { listOwn, readNotificationSettings } from "./notification-settings.ts";
import { keepConfirmations } from "./outbox.ts";

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

/** What follows from a person, their settings and their browsers; the rest of a row belongs to the sender. */
const FOLLOWED = [
  "name",
  "config",
  "secrets",
  "target",
  "events",
  "hours",
  "language",
  "time_zone",
  "enabled",
  "disabled_reason",
  "confirmed_at",
  "updated_at",
];

const FOLLOWING = {
  ...Object.fromEntries(FOLLOWED.map((column) => [column, `excluded.${column}`])),
  // A pause that one address requested holds no other.
  held_until: `case when channels.config = excluded.config and channels.secrets is not distinct from excluded.secrets
    then channels.held_until end`,
};

/**
 * Makes a person's channels what their settings, their profile, their browsers and their memberships say, and notes them: they are
 * notified of what is down now. Call it in the transaction that changes one of these.
 */
export async function alignOwnChannels(trx: Db, userId: number, now: number): Promise<void> {
  // A member who joins meanwhile would get the channels of the former settings: what follows from both is read once neither changes.
  const own = trx
    .selectFrom("users")
    .select([
      ...(["name", "email", "language", "time_zone as timeZone"] as const),
      ...(["seen_language as seenLanguage", "seen_time_zone as seenTimeZone"] as const),
      "email_confirmed_at as confirmedAt",
    ])
    .where("id", "=", userId);
  const person = await lockRows(trx, own).executeTakeFirst();
  if (!person) return;
  const settings = await readNotificationSettings(trx, userId);
  const channels = ownChannels(settings, person.email, await listPushTargets(trx, userId));
  const memberships = await trx
    .selectFrom("memberships")
    .select("organization_id as organizationId")
    .where("user_id", "=", userId)
    .orderBy("organization_id")
    .execute();
  const rows = memberships.flatMap(({ organizationId }) =>
    channels.map((channel) => rowOf({ ...person, userId, organizationId }, channel, now)),
  );
  // As its index says it.
  const keys = "organization_id, user_id, type, coalesce(push_subscription_id, 0)";
  await insertMany(trx, "channels", rows, { keys, update: FOLLOWING });
  await trx
    .deleteFrom("channels")
    .where("user_id", "=", userId)
    .where(
      "type",
      "not in",
      channels.map(({ type }) => type),
    )
    .execute();
  await noteChannels(trx, await listOwn(trx, userId), now);
}

interface Owner extends KnownReader {
  userId: number;
  organizationId: number;
  name: string;
  /** Since when the address is known to be theirs; null: it is not. */
  confirmedAt: number | null;
}

function rowOf(owner: Owner, channel: ReturnType<typeof ownChannels>[number], now: number) {
  const { language, timeZone } = readerOfRequest(owner, channel.language);
  return {
    uuid: randomUUIDv7(),
    organization_id: owner.organizationId,
    user_id: owner.userId,
    name: owner.name,
    type: channel.type,
    push_subscription_id: channel.pushSubscriptionId,
    config: JSON.stringify(channel.config),
    secrets: channel.secrets,
    target: channel.target,
    events: JSON.stringify(channel.events),
    severities: "[]",
    tags: "[]",
    hours: channel.hours && JSON.stringify(channel.hours),
    language,
    time_zone: timeZone,
    enabled: channel.enabled ? 1 : 0,
    disabled_reason: messageJson(channel.disabledReason),
    held_until: null,
    confirmed_at: channel.type === "email" ? owner.confirmedAt : now,
    created_at: now,
    updated_at: now,
  };
}

/** A person's channel of that type in one of their organizations; null where their settings have none. */
export async function findOwnChannel(
  db: Db,
  { organizationId, userId }: { organizationId: number; userId: number },
  type: string,
): Promise<Channel | null> {
  const row = await db
    .selectFrom("channels")
    .select("id")
    .where("organization_id", "=", organizationId)
    .where("user_id", "=", userId)
    .where("type", "=", type)
    .executeTakeFirst();
  return row ? readChannel(db, row.id) : null;
}

/** A user gets no more notifications of an organization: not even those that wait to be sent. */
export async function deleteOwnChannels(trx: Db, organizationId: number, userId: number): Promise<void> {
  const own = await trx
    .selectFrom("channels")
    .select("id")
    .where("organization_id", "=", organizationId)
    .where("user_id", "=", userId)
    .execute();
  const ids = own.map(({ id }) => id);
  await keepConfirmations(trx, ids);
  await trx
    .deleteFrom("channels")
    .where(among(trx, "id", ids))
    .execute();
}

/** The address of a person is known to be theirs: their own mails go there from now on. */
export async function confirmUserEmail(db: Db, id: number, now: number): Promise<void> {
  await db.updateTable("users").set({ email_confirmed_at: now }).where("id", "=", id).execute();
  await alignOwnChannels(db, id, now);
}

/** A member has confirmed this address (lower case) to the organization, so it is known to be theirs. */
export async function confirmMembersAddress(
  db: Db,
  organizationId: number,
  email: string,
  now: number,
): Promise<void> {
  const member = await db
    .selectFrom("memberships")
    .innerJoin("users", "users.id", "memberships.user_id")
    .select("users.id")
    .where("memberships.organization_id", "=", organizationId)
    .where("users.email", "=", email)
    .where("users.email_confirmed_at", "is", null)
    .executeTakeFirst();
  if (member) await confirmUserEmail(db, member.id, now);
}
