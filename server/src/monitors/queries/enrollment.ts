import type { Role } from "../../platform/access/roles-and-scopes.ts";
import type { Db } from "../../platform/database/schema.ts";
import { isRef, type Ref } from "../../platform/database/sql.ts";
import type { Flag } from "../../platform/database/table.ts";

/** With what machines become devices of an organization. Milliseconds. */
export interface EnrollmentToken {
  id: number;
  uuid: string;
  organizationId: number;
  userId: number;
  userName: string;
  name: string;
  prefix: string;
  createdAt: number;
  expiresAt: number | null;
  lastUsedAt: number | null;
  /** How many devices enrolled with it. */
  devices: number;
}

const tokens = (db: Db) =>
  db
    .selectFrom("enrollment_tokens")
    .innerJoin("users", "users.id", "enrollment_tokens.user_id")
    .select([
      "enrollment_tokens.id",
      "enrollment_tokens.uuid",
      "enrollment_tokens.organization_id as organizationId",
      "enrollment_tokens.user_id as userId",
      "users.name as userName",
      "enrollment_tokens.name",
      "enrollment_tokens.prefix",
      "enrollment_tokens.created_at as createdAt",
      "enrollment_tokens.expires_at as expiresAt",
      "enrollment_tokens.last_used_at as lastUsedAt",
      "enrollment_tokens.devices",
    ]);

export const listEnrollmentTokens = (db: Db, organizationId: number): Promise<EnrollmentToken[]> =>
  tokens(db)
    .where("enrollment_tokens.organization_id", "=", organizationId)
    .orderBy("enrollment_tokens.id", "desc")
    .execute();

export const findEnrollmentToken = (
  db: Db,
  organizationId: number,
  ref: Ref,
): Promise<EnrollmentToken | undefined> =>
  tokens(db)
    .where("enrollment_tokens.organization_id", "=", organizationId)
    .where(isRef("enrollment_tokens", ref))
    .executeTakeFirst();

/** What enrolling a machine needs to know of the creator of its token, and of their organization. */
export interface Enroller extends EnrollmentToken {
  role: Role;
  plan: string;
  reports: Flag;
}

/** The one with that token, of any organization; undefined when it is unknown or its creator has left the organization. */
export const findEnroller = (db: Db, tokenHash: string): Promise<Enroller | undefined> =>
  tokens(db)
    .innerJoin("organizations", "organizations.id", "enrollment_tokens.organization_id")
    .innerJoin("memberships", (join) =>
      join
        .onRef("memberships.organization_id", "=", "enrollment_tokens.organization_id")
        .onRef("memberships.user_id", "=", "enrollment_tokens.user_id"),
    )
    .select(["memberships.role", "organizations.plan", "organizations.reports"])
    .where("enrollment_tokens.token_hash", "=", tokenHash)
    .executeTakeFirst();

/** Writes a new one and answers its number. */
export async function insertEnrollmentToken(
  trx: Db,
  token: Pick<
    EnrollmentToken,
    "uuid" | "organizationId" | "userId" | "name" | "prefix" | "createdAt" | "expiresAt"
  > & {
    tokenHash: string;
  },
): Promise<number> {
  const { id } = await trx
    .insertInto("enrollment_tokens")
    .values({
      uuid: token.uuid,
      organization_id: token.organizationId,
      user_id: token.userId,
      name: token.name,
      prefix: token.prefix,
      token_hash: token.tokenHash,
      created_at: token.createdAt,
      expires_at: token.expiresAt,
      last_used_at: null,
      devices: 0,
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  return id;
}

/** Notes that a machine came with it, which is a new device or not; false when it has been revoked meanwhile. */
export async function noteEnrollment(
  trx: Db,
  id: number,
  { now, isNew }: { now: number; isNew: boolean },
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable("enrollment_tokens")
    .set((set) => ({ last_used_at: now, devices: set("devices", "+", isNew ? 1 : 0) }))
    .where("id", "=", id)
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

/** False when it had been revoked already. */
export async function deleteEnrollmentToken(trx: Db, id: number): Promise<boolean> {
  const { numDeletedRows } = await trx
    .deleteFrom("enrollment_tokens")
    .where("id", "=", id)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

/** A device of the organization that this installation of the agent enrolled, and that has never reported: its answer was lost. */
export async function findUnusedDevice(
  trx: Db,
  { organizationId, installation }: { organizationId: number; installation: string },
): Promise<number | undefined> {
  const row = await trx
    .selectFrom("devices")
    .innerJoin("monitors", "monitors.id", "devices.monitor_id")
    .select("monitors.id")
    .where("monitors.organization_id", "=", organizationId)
    .where("monitors.deleted_at", "is", null)
    .where("devices.reported_at", "is", null)
    .where("devices.enrolled_by", "=", installation)
    .executeTakeFirst();
  return row?.id;
}
