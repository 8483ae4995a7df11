import type { Role } from "../../account/scopes.ts";
import type { Db } from "../db.ts";
import { lockInOrder } from "../dialect.ts";
import { lockOrganization } from "./organizations.ts";
import { alignOwnChannels, deleteOwnChannels } from "./own-channels.ts";
import { isRef, type Ref } from "./ref.ts";
import { confirmUserEmail, lockUser } from "./users.ts";

export interface Member {
  id: number;
  uuid: string;
  email: string;
  name: string;
  role: Role;
  joinedAt: number;
}

const members = (db: Db, organizationId: number) =>
  db
    .selectFrom("memberships")
    .innerJoin("users", "users.id", "memberships.user_id")
    .select([
      "users.id",
      "users.uuid",
      "users.email",
      "users.name",
      "memberships.role",
      "memberships.created_at as joinedAt",
    ])
    .where("memberships.organization_id", "=", organizationId);

/** The organization's people, in the order they joined. */
export const listMembers = (db: Db, organizationId: number): Promise<Member[]> =>
  members(db, organizationId).orderBy("memberships.created_at").orderBy("users.id").execute();

export const findMember = (db: Db, organizationId: number, ref: Ref): Promise<Member | undefined> =>
  members(db, organizationId).where(isRef("users", ref)).executeTakeFirst();

/** Whether this address (lower case) is a member's, and known to be theirs. */
export async function isMembersAddress(db: Db, organizationId: number, email: string): Promise<boolean> {
  const known = members(db, organizationId)
    .where("users.email", "=", email)
    .where("users.email_confirmed_at", "is not", null);
  return (await known.executeTakeFirst()) !== undefined;
}

/** Somebody has confirmed this address (lower case) to the organization: if it is a member's, it is known to be theirs. */
export async function confirmMembersAddress(
  db: Db,
  organizationId: number,
  email: string,
  now: number,
): Promise<void> {
  const unknown = members(db, organizationId)
    .where("users.email", "=", email)
    .where("users.email_confirmed_at", "is", null);
  const member = await unknown.executeTakeFirst();
  if (member) await confirmUserEmail(db, member.id, now);
}

/** Adds a person; false when they are a member already. */
export async function insertMember(
  db: Db,
  membership: { userId: number; organizationId: number; role: Role },
  now: number,
): Promise<boolean> {
  const result = await db
    .insertInto("memberships")
    .values({
      user_id: membership.userId,
      organization_id: membership.organizationId,
      role: membership.role,
      created_at: now,
    })
    .onConflict((conflict) => conflict.columns(["user_id", "organization_id"]).doNothing())
    .executeTakeFirst();
  const isNew = (result.numInsertedOrUpdatedRows ?? 0n) > 0n;
  if (isNew) await alignOwnChannels(db, membership.userId, now);
  return isNew;
}

export async function updateMemberRole(
  db: Db,
  organizationId: number,
  userId: number,
  role: Role,
): Promise<void> {
  await db
    .updateTable("memberships")
    .set({ role })
    .where("organization_id", "=", organizationId)
    .where("user_id", "=", userId)
    .execute();
}

/** Ends a membership, and with it the person's sessions, keys and channels in that organization. */
export async function deleteMember(db: Db, organizationId: number, userId: number): Promise<void> {
  // Who changes their settings meanwhile would write the channels anew.
  await lockUser(db, userId);
  for (const table of ["api_keys", "sessions"] as const) {
    const own = db
      .selectFrom(table)
      .select("id")
      .where("organization_id", "=", organizationId)
      .where("user_id", "=", userId);
    await db.deleteFrom(table).where("id", "in", lockInOrder(db, own)).execute();
  }
  await deleteOwnChannels(db, organizationId, userId);
  await db
    .deleteFrom("memberships")
    .where("organization_id", "=", organizationId)
    .where("user_id", "=", userId)
    .execute();
}

/** Ends all memberships in an organization. */
export async function deleteMembers(db: Db, organizationId: number): Promise<void> {
  await db
    .deleteFrom("channels")
    .where("organization_id", "=", organizationId)
    .where("user_id", "is not", null)
    .execute();
  await db.deleteFrom("memberships").where("organization_id", "=", organizationId).execute();
}

/**
 * User ids of the owners. Other changes of roles in the organization wait until this transaction ends, so that two
 * cannot each take away one of the last two. It is the organization that is locked: who waits for the rows of the
 * owners does not see the one who has become an owner meanwhile.
 */
export async function lockOwners(trx: Db, organizationId: number): Promise<number[]> {
  await lockOrganization(trx, organizationId);
  const rows = await trx
    .selectFrom("memberships")
    .select("user_id")
    .where("organization_id", "=", organizationId)
    .where("role", "=", "owner")
    .orderBy("user_id")
    .execute();
  return rows.map((row) => row.user_id);
}
