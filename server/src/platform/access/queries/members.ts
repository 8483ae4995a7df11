import type { Db } from "../../database/schema.ts";
import { isRef, type Ref } from "../../database/sql.ts";
import type { Role } from "../roles-and-scopes.ts";

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

/** In the order they joined. */
export const listMembers = (db: Db, organizationId: number): Promise<Member[]> =>
  members(db, organizationId).orderBy("memberships.created_at").orderBy("users.id").execute();

export const findMember = (db: Db, organizationId: number, ref: Ref): Promise<Member | undefined> =>
  members(db, organizationId).where(isRef("users", ref)).executeTakeFirst();

/** Whether this address (lower case) is a member's, and confirmed. */
export async function isMembersAddress(db: Db, organizationId: number, email: string): Promise<boolean> {
  const known = members(db, organizationId)
    .where("users.email", "=", email)
    .where("users.email_confirmed_at", "is not", null);
  return (await known.executeTakeFirst()) !== undefined;
}

/** Whether one of its owners has confirmed their address. */
export async function hasConfirmedOwner(db: Db, organizationId: number): Promise<boolean> {
  const confirmed = members(db, organizationId)
    .where("memberships.role", "=", "owner")
    .where("users.email_confirmed_at", "is not", null);
  return (await confirmed.executeTakeFirst()) !== undefined;
}

export async function deleteMembers(db: Db, organizationId: number): Promise<void> {
  await db
    .deleteFrom("channels")
    .where("organization_id", "=", organizationId)
    .where("user_id", "is not", null)
    .execute();
  await db.deleteFrom("memberships").where("organization_id", "=", organizationId).execute();
}
