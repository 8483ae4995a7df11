import type { Db } from "../../database/schema.ts";
import { compileOnce, isRef, lockInOrder, type Ref, type Slots } from "../../database/sql.ts";
import type { Flag } from "../../database/table.ts";
import type { Role } from "../roles-and-scopes.ts";

export interface ApiKey {
  id: number;
  uuid: string;
  userId: number;
  userName: string;
  name: string;
  prefix: string;
  scopes: string[];
  lastUsedAt: number | null;
  expiresAt: number | null;
  allOrganizations: boolean;
  createdAt: number;
}

interface KeyHolder {
  apiKeyId: number;
  userId: number;
  organizationId: number;
  role: Role;
  scopes: string[];
  plan: string;
  reports: boolean;
  lastUsedAt: number | null;
  expiresAt: number | null;
  allOrganizations: boolean;
}

/** The holder of a token, by its hash; undefined when unknown or no longer a member. */
export async function findKeyHolder(db: Db, tokenHash: string): Promise<KeyHolder | undefined> {
  const [row] = await holderOf(db, { tokenHash });
  return row && { ...shape(row), reports: row.reports === 1 };
}

const holderOf = compileOnce((db, { tokenHash }: Slots<{ tokenHash: string }>) =>
  holders(db).where("api_keys.token_hash", "=", tokenHash),
);

interface Stored {
  scopes: string;
  allOrganizations: Flag;
}

const shape = <T extends Stored>({ scopes, allOrganizations, ...rest }: T) => ({
  ...rest,
  scopes: JSON.parse(scopes) as string[],
  allOrganizations: allOrganizations === 1,
});

const holders = (db: Db) =>
  db
    .selectFrom("api_keys")
    .innerJoin("organizations", "organizations.id", "api_keys.organization_id")
    .innerJoin("memberships", (join) =>
      join
        .onRef("memberships.organization_id", "=", "api_keys.organization_id")
        .onRef("memberships.user_id", "=", "api_keys.user_id"),
    )
    .select([
      "api_keys.id as apiKeyId",
      "api_keys.user_id as userId",
      "api_keys.organization_id as organizationId",
      "memberships.role",
      "api_keys.scopes",
      "organizations.plan",
      "organizations.reports",
      "api_keys.last_used_at as lastUsedAt",
      "api_keys.expires_at as expiresAt",
      "api_keys.all_organizations as allOrganizations",
    ]);

/** Whether the key still exists, has not expired and its person is still a member. */
export async function isKeyAlive(db: Db, id: number, now: number): Promise<boolean> {
  const row = await holders(db).where("api_keys.id", "=", id).executeTakeFirst();
  return row !== undefined && (row.expiresAt === null || row.expiresAt > now);
}

export async function touchKey(db: Db, id: number, now: number): Promise<void> {
  await db.updateTable("api_keys").set({ last_used_at: now }).where("id", "=", id).execute();
}

/** Newest first; only one person's when `userId` is given. */
export async function listKeys(db: Db, organizationId: number, userId: number | null): Promise<ApiKey[]> {
  const query = keys(db, organizationId).orderBy("api_keys.id", "desc");
  const rows = await (userId === null ? query : query.where("api_keys.user_id", "=", userId)).execute();
  return rows.map(shape);
}

export async function findKey(db: Db, organizationId: number, ref: Ref): Promise<ApiKey | undefined> {
  const row = await keys(db, organizationId).where(isRef("api_keys", ref)).executeTakeFirst();
  return row && shape(row);
}

const keys = (db: Db, organizationId: number) =>
  db
    .selectFrom("api_keys")
    .innerJoin("users", "users.id", "api_keys.user_id")
    .select([
      "api_keys.id",
      "api_keys.uuid",
      "api_keys.user_id as userId",
      "users.name as userName",
      "api_keys.name",
      "api_keys.prefix",
      "api_keys.scopes",
      "api_keys.last_used_at as lastUsedAt",
      "api_keys.expires_at as expiresAt",
      "api_keys.all_organizations as allOrganizations",
      "api_keys.created_at as createdAt",
    ])
    .where("api_keys.organization_id", "=", organizationId);

export async function insertKey(
  db: Db,
  key: {
    uuid: string;
    userId: number;
    organizationId: number;
    name: string;
    prefix: string;
    tokenHash: string;
    scopes: readonly string[];
    expiresAt: number | null;
    allOrganizations: boolean;
  },
  now: number,
): Promise<number> {
  const row = await db
    .insertInto("api_keys")
    .values({
      uuid: key.uuid,
      user_id: key.userId,
      organization_id: key.organizationId,
      name: key.name,
      prefix: key.prefix,
      token_hash: key.tokenHash,
      scopes: JSON.stringify(key.scopes),
      last_used_at: null,
      expires_at: key.expiresAt,
      all_organizations: key.allOrganizations ? 1 : 0,
      created_at: now,
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  return row.id;
}

export async function updateKeyName(db: Db, id: number, name: string): Promise<void> {
  await db.updateTable("api_keys").set({ name }).where("id", "=", id).execute();
}

/** Returns the ids of those that acted in several. */
export async function narrowKeys(db: Db, userId: number): Promise<number[]> {
  const wide = db
    .selectFrom("api_keys")
    .select("id")
    .where("user_id", "=", userId)
    .where("all_organizations", "=", 1);
  const rows = await db
    .updateTable("api_keys")
    .set({ all_organizations: 0 })
    .where("id", "in", lockInOrder(db, wide))
    .returning("id")
    .execute();
  return rows.map(({ id }) => id);
}

/** Whether a key was made before the account was recovered, perhaps by an intruder. */
export async function isOlderThanRecovery(db: Db, id: number): Promise<boolean> {
  const row = await db
    .selectFrom("api_keys")
    .innerJoin("users", "users.id", "api_keys.user_id")
    .select("api_keys.id")
    .where("api_keys.id", "=", id)
    .whereRef("api_keys.created_at", "<=", "users.recovered_at")
    .executeTakeFirst();
  return row !== undefined;
}

/** False when it had been deleted already. */
export async function deleteKey(db: Db, id: number): Promise<boolean> {
  const result = await db.deleteFrom("api_keys").where("id", "=", id).executeTakeFirst();
  return result.numDeletedRows > 0n;
}

export async function replaceRecoveryCodes(
  db: Db,
  userId: number,
  hashes: readonly string[],
  now: number,
): Promise<void> {
  await db.deleteFrom("recovery_codes").where("user_id", "=", userId).execute();
  if (hashes.length === 0) return;
  await db
    .insertInto("recovery_codes")
    .values(hashes.map((code_hash) => ({ user_id: userId, code_hash, created_at: now })))
    .execute();
}

export async function hasRecoveryCode(db: Db, userId: number, hash: string): Promise<boolean> {
  const row = await db
    .selectFrom("recovery_codes")
    .select("id")
    .where("user_id", "=", userId)
    .where("code_hash", "=", hash)
    .executeTakeFirst();
  return row !== undefined;
}

/** Uses a code up; false when the person has none of that hash. */
export async function useRecoveryCode(db: Db, userId: number, hash: string): Promise<boolean> {
  const result = await db
    .deleteFrom("recovery_codes")
    .where("user_id", "=", userId)
    .where("code_hash", "=", hash)
    .executeTakeFirst();
  return result.numDeletedRows > 0n;
}

export async function countRecoveryCodes(db: Db, userId: number): Promise<number> {
  const { count } = await db
    .selectFrom("recovery_codes")
    .select((select) => select.fn.countAll().as("count"))
    .where("user_id", "=", userId)
    .executeTakeFirstOrThrow();
  return Number(count);
}

interface Identity {
  issuer: string;
  subject: string;
}

/** Undefined: not linked yet. */
export async function findIdentity(db: Db, { issuer, subject }: Identity): Promise<number | undefined> {
  const row = await db
    .selectFrom("identities")
    .select("user_id as userId")
    .where("issuer", "=", issuer)
    .where("subject", "=", subject)
    .executeTakeFirst();
  return row?.userId;
}

/** Of several that claim it, the first counts, and all learn which. */
export async function claimIdentity(
  db: Db,
  { issuer, subject }: Identity,
  userId: number,
  now: number,
): Promise<number> {
  await db
    .insertInto("identities")
    .values({ issuer, subject, user_id: userId, created_at: now })
    .onConflict((conflict) => conflict.columns(["issuer", "subject"]).doNothing())
    .execute();
  return (await findIdentity(db, { issuer, subject })) ?? userId;
}
