import { alignOwnChannels, deleteOwnChannels } from "../../alerts/queries/own-channels.ts";
import { lockOrganization } from "../../platform/access/queries/organizations.ts";
import { lockUser } from "../../platform/access/queries/users.ts";
import type { Role } from "../../platform/access/roles-and-scopes.ts";
import type { Db } from "../../platform/database/schema.ts";
import { isRef, lockInOrder, type Ref } from "../../platform/database/sql.ts";

/** False when they are a member already. */
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

/** With the person's sessions, keys and channels in that organization. */
export async function deleteMember(db: Db, organizationId: number, userId: number): Promise<void> {
  // A concurrent change of their settings would write the channels again.
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

/**
 * User ids of the owners. Locks the organization, so that two transactions cannot each remove one of the last
 * two owners; locking the owners' rows would miss one who became an owner meanwhile.
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

/** For members of the organization. */
export interface Invitation {
  id: number;
  uuid: string;
  email: string;
  role: Role;
  invitedBy: string;
  createdAt: number;
  expiresAt: number;
}

/** For the invited person. */
export interface OwnInvitation extends Invitation {
  organizationId: number;
  organizationName: string;
  /** Null: no deletion is planned. */
  organizationDeletesAt: number | null;
  /** Of the code that the inviter hands over. */
  codeHash: string;
  /** Of the code that only the recipient of the mail has; null: none was sent. */
  mailedCodeHash: string | null;
  /** At present: null when the inviter has left. */
  inviterRole: Role | null;
}

const invitations = (db: Db, now: number) =>
  db
    .selectFrom("invitations")
    .innerJoin("users", "users.id", "invitations.inviter_id")
    .innerJoin("organizations", "organizations.id", "invitations.organization_id")
    .leftJoin("memberships", (join) =>
      join
        .onRef("memberships.organization_id", "=", "invitations.organization_id")
        .onRef("memberships.user_id", "=", "invitations.inviter_id"),
    )
    .select([
      "invitations.id",
      "invitations.uuid",
      "invitations.email",
      "invitations.role",
      "users.name as invitedBy",
      "invitations.created_at as createdAt",
      "invitations.expires_at as expiresAt",
      "invitations.organization_id as organizationId",
      "organizations.name as organizationName",
      "organizations.deletes_at as organizationDeletesAt",
      "invitations.code_hash as codeHash",
      "invitations.mailed_code_hash as mailedCodeHash",
      "memberships.role as inviterRole",
    ])
    .where("invitations.expires_at", ">", now);

/** Valid ones, newest first. */
export const listInvitations = (db: Db, organizationId: number, now: number): Promise<Invitation[]> =>
  invitations(db, now)
    .where("invitations.organization_id", "=", organizationId)
    .orderBy("invitations.id", "desc")
    .execute();

/** Valid ones for an address (lower case), newest first. */
export const listInvitationsOf = (db: Db, email: string, now: number): Promise<OwnInvitation[]> =>
  invitations(db, now).where("invitations.email", "=", email).orderBy("invitations.id", "desc").execute();

/** By address or organization. */
export function findInvitation(
  db: Db,
  whose: { email: string } | { organizationId: number },
  ref: Ref,
  now: number,
): Promise<OwnInvitation | undefined> {
  const own = invitations(db, now).where(isRef("invitations", ref));
  const query =
    "email" in whose
      ? own.where("invitations.email", "=", whose.email)
      : own.where("invitations.organization_id", "=", whose.organizationId);
  return query.executeTakeFirst();
}

/** If it is valid; codes are unique. */
export const findInvitationByCode = (
  db: Db,
  codeHash: string,
  now: number,
): Promise<OwnInvitation | undefined> =>
  invitations(db, now)
    .where((is) =>
      is.or([is("invitations.code_hash", "=", codeHash), is("invitations.mailed_code_hash", "=", codeHash)]),
    )
    .executeTakeFirst();

/** Replaces one for the same address; returns its id. */
export async function saveInvitation(
  db: Db,
  invitation: {
    uuid: string;
    organizationId: number;
    email: string;
    role: Role;
    invitedBy: number;
    expiresAt: number;
    codeHash: string;
    mailedCodeHash?: string | null;
  },
  now: number,
): Promise<number> {
  const { role, invitedBy, expiresAt, codeHash, mailedCodeHash = null } = invitation;
  const change = {
    ...{ role, inviter_id: invitedBy, created_at: now, expires_at: expiresAt },
    ...{ code_hash: codeHash, mailed_code_hash: mailedCodeHash },
  };
  const { uuid, email, organizationId } = invitation;
  const row = await db
    .insertInto("invitations")
    .values({ uuid, email, organization_id: organizationId, ...change })
    .onConflict((conflict) => conflict.columns(["organization_id", "email"]).doUpdateSet(change))
    .returning("id")
    .executeTakeFirstOrThrow();
  return row.id;
}

/** False when it was removed or replaced since it was read. */
export async function deleteInvitation(
  db: Db,
  { id, codeHash }: Pick<OwnInvitation, "id" | "codeHash">,
): Promise<boolean> {
  const result = await db
    .deleteFrom("invitations")
    .where("id", "=", id)
    .where("code_hash", "=", codeHash)
    .executeTakeFirst();
  return result.numDeletedRows > 0n;
}

export async function isInvited(
  db: Db,
  { organizationId, email }: { organizationId: number; email: string },
  now: number,
): Promise<boolean> {
  const row = await db
    .selectFrom("invitations")
    .select("id")
    .where("organization_id", "=", organizationId)
    .where("email", "=", email)
    .where("expires_at", ">", now)
    .executeTakeFirst();
  return row !== undefined;
}

/** Without one for this address, which a new one replaces. */
export async function countOtherInvitations(
  db: Db,
  { organizationId, email }: { organizationId: number; email: string },
  now: number,
): Promise<number> {
  const { count } = await db
    .selectFrom("invitations")
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .where("organization_id", "=", organizationId)
    .where("email", "!=", email)
    .where("expires_at", ">", now)
    .executeTakeFirstOrThrow();
  return Number(count);
}
