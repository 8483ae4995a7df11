import { sql } from "kysely";
import type { Db } from "../../database/schema.ts";
import { compileOnce, lockInOrder, type Slots } from "../../database/sql.ts";
import type { Role } from "../roles-and-scopes.ts";

export interface Session {
  id: number;
  userId: number;
  organizationId: number;
  address: string;
  userAgent: string;
  createdAt: number;
  rotatedAt: number;
  seenAt: number;
}

export interface SessionHolder extends Session {
  role: Role;
  plan: string;
  reports: boolean;
  /** Whether the token presented is the one before the last rotation. */
  previous: boolean;
}

const columns = [
  "sessions.id",
  "sessions.user_id as userId",
  "sessions.organization_id as organizationId",
  "sessions.address",
  "sessions.user_agent as userAgent",
  "sessions.created_at as createdAt",
  "sessions.rotated_at as rotatedAt",
  "sessions.seen_at as seenAt",
] as const;

/** The holder of a cookie, by its hash or that of the cookie before the last rotation. */
export async function findSessionHolder(db: Db, tokenHash: string): Promise<SessionHolder | undefined> {
  const [row] = await holderOf(db, { tokenHash });
  if (!row) return undefined;
  const { tokenHash: current, reports, ...rest } = row;
  return { ...rest, reports: reports === 1, previous: current !== tokenHash };
}

const holderOf = compileOnce((db, { tokenHash }: Slots<{ tokenHash: string }>) =>
  db
    .selectFrom("sessions")
    .innerJoin("organizations", "organizations.id", "sessions.organization_id")
    .innerJoin("memberships", (join) =>
      join
        .onRef("memberships.organization_id", "=", "sessions.organization_id")
        .onRef("memberships.user_id", "=", "sessions.user_id"),
    )
    .select([
      ...columns,
      "sessions.token_hash as tokenHash",
      "memberships.role",
      "organizations.plan",
      "organizations.reports",
    ])
    .where((where) =>
      where.or([
        where("sessions.token_hash", "=", tokenHash),
        where("sessions.previous_token_hash", "=", tokenHash),
      ]),
    ),
);

export async function insertSession(
  db: Db,
  session: { tokenHash: string; userId: number; organizationId: number; address: string; userAgent: string },
  now: number,
): Promise<number> {
  const row = await db
    .insertInto("sessions")
    .values({
      token_hash: session.tokenHash,
      user_id: session.userId,
      organization_id: session.organizationId,
      address: session.address,
      user_agent: session.userAgent,
      created_at: now,
      rotated_at: now,
      seen_at: now,
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  return row.id;
}

/** The old token serves requests under way. False when another request has just replaced it. */
export async function rotateSession(
  db: Db,
  id: number,
  hashes: { from: string; to: string },
  now: number,
): Promise<boolean> {
  const result = await db
    .updateTable("sessions")
    .set({ previous_token_hash: hashes.from, token_hash: hashes.to, rotated_at: now, seen_at: now })
    .where("id", "=", id)
    .where("token_hash", "=", hashes.from)
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

export async function touchSession(db: Db, id: number, now: number): Promise<void> {
  await db.updateTable("sessions").set({ seen_at: now }).where("id", "=", id).execute();
}

export async function switchSession(db: Db, id: number, organizationId: number): Promise<void> {
  await db.updateTable("sessions").set({ organization_id: organizationId }).where("id", "=", id).execute();
}

export async function moveSessions(
  db: Db,
  userId: number,
  organizations: { from: number; to: number },
): Promise<void> {
  await db
    .updateTable("sessions")
    .set({ organization_id: organizations.to })
    .where("user_id", "=", userId)
    .where("organization_id", "=", organizations.from)
    .execute();
}

/** To the oldest organization that stays of each person; sessions of others are left. */
export async function moveSessionsElsewhere(db: Db, organizationId: number): Promise<void> {
  const other = db
    .selectFrom("memberships")
    .innerJoin("organizations", "organizations.id", "memberships.organization_id")
    .select((select) => select.fn.min("organizations.id").as("id"))
    .where("memberships.user_id", "=", sql.ref<number>("sessions.user_id"))
    .where("organizations.deletes_at", "is", null);
  await db
    .updateTable("sessions")
    .set({ organization_id: sql<number>`(${other})` })
    .where("organization_id", "=", organizationId)
    .where(sql<boolean>`(${other}) is not null`)
    .execute();
}

/** Seen since `since`, the latest first. */
export const listSessions = (db: Db, userId: number, since: number): Promise<Session[]> =>
  db
    .selectFrom("sessions")
    .select(columns)
    .where("user_id", "=", userId)
    .where("seen_at", ">=", since)
    .orderBy("seen_at", "desc")
    .orderBy("id", "desc")
    .execute();

/** With its push subscription; false when it is unknown or another's. */
export async function deleteSession(db: Db, userId: number, id: number): Promise<boolean> {
  await db
    .deleteFrom("push_subscriptions")
    .where("session_id", "=", id)
    .where("user_id", "=", userId)
    .execute();
  const result = await db
    .deleteFrom("sessions")
    .where("id", "=", id)
    .where("user_id", "=", userId)
    .executeTakeFirst();
  return result.numDeletedRows > 0n;
}

/** With their push subscriptions. */
export async function deleteOtherSessions(db: Db, userId: number, keepId: number | null): Promise<void> {
  const subscriptions = db.deleteFrom("push_subscriptions").where("user_id", "=", userId);
  await (keepId === null
    ? subscriptions
    : subscriptions.where((where) =>
        where.or([where("session_id", "is", null), where("session_id", "!=", keepId)]),
      )
  ).execute();
  const own = db.selectFrom("sessions").select("id").where("user_id", "=", userId);
  const ended = lockInOrder(db, keepId === null ? own : own.where("id", "!=", keepId));
  await db.deleteFrom("sessions").where("id", "in", ended).execute();
}

/** Whether the session still exists, was seen since `since`, and its person is still a member. */
export async function isSessionAlive(db: Db, id: number, since: number): Promise<boolean> {
  const row = await db
    .selectFrom("sessions")
    .innerJoin("memberships", (join) =>
      join
        .onRef("memberships.organization_id", "=", "sessions.organization_id")
        .onRef("memberships.user_id", "=", "sessions.user_id"),
    )
    .select("sessions.id")
    .where("sessions.id", "=", id)
    .where("sessions.seen_at", ">=", since)
    .executeTakeFirst();
  return row !== undefined;
}
