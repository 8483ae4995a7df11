import { alignOwnChannels, deleteOwnChannels } from "../../alerts/queries/own-channels.ts";
import { lockOrganization } from "../../platform/access/queries/organizations.ts";
import { lockUser } from "../../platform/access/queries/users.ts";
import type { Role } from "../../platform/access/scopes.ts";
import type { Db } from "../../platform/database/db.ts";
import { lockInOrder } from "../../platform/database/dialect.ts";
import { isRef, type Ref } from "../../platform/database/ref.ts";

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

/** An invitation as the organization sees it. */
export interface Invitation {
  id: number;
  uuid: string;
  email: string;
  role: Role;
  /** Who invited. */
  invitedBy: string;
  createdAt: number;
  expiresAt: number;
}

/** An invitation as the invited person sees it. */
export interface OwnInvitation extends Invitation {
  organizationId: number;
  organizationName: string;
  /** When the organization is removed; null: it stays. */
  organizationDeletesAt: number | null;
  /** Of the code that the inviter hands over. */
  codeHash: string;
  /** Of the code in the mail, which only its recipient has; null: none was sent. */
  mailedCodeHash: string | null;
  /** Of the member who invited, at present: null when they have left. */
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

/** The valid invitations of an organization, newest first. */
export const listInvitations = (db: Db, organizationId: number, now: number): Promise<Invitation[]> =>
  invitations(db, now)
    .where("invitations.organization_id", "=", organizationId)
    .orderBy("invitations.id", "desc")
    .execute();

/** The valid invitations for an e-mail address (lower case), newest first. */
export const listInvitationsOf = (db: Db, email: string, now: number): Promise<OwnInvitation[]> =>
  invitations(db, now).where("invitations.email", "=", email).orderBy("invitations.id", "desc").execute();

/** One of those for an e-mail address, or of an organization. */
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

/** The one with this code, if it is valid; codes are never the same. */
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

/** Adds an invitation, or replaces the one for the same e-mail address, and returns its id. */
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

/** Removes an invitation as it was read; false when it was removed or replaced first. */
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

/** Whether an invitation of this address to the organization is open. */
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

/** How many of an organization's invitations are valid, not counting one for this e-mail address, which a new one replaces. */
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
