import { type RawBuilder, sql } from "kysely";
import { type Db, detailsOf, TABLE_NAMES, type TableName } from "../../database/schema.ts";
import { isPostgres, lockRows } from "../../database/sql.ts";
import type { MonitorKind } from "../../monitor-defaults.ts";
import type { Role } from "../roles-and-scopes.ts";

interface Organization {
  id: number;
  uuid: string;
  name: string;
  slug: string;
  plan: string;
  reports: boolean;
  createdAt: number;
  /** When everything of it is removed; null: it stays. */
  deletesAt: number | null;
}

export interface OwnOrganization extends Organization {
  role: Role;
}

export type OrganizationKey = { id: number } | { uuid: string } | { slug: string } | { name: string };

const columns = [
  "organizations.id",
  "organizations.uuid",
  "organizations.name",
  "organizations.slug",
  "organizations.plan",
  "organizations.reports",
  "organizations.created_at as createdAt",
  "organizations.deletes_at as deletesAt",
] as const;

type Row = Omit<Organization, "reports"> & { reports: number };
const shape = <T extends Row>(row: T) => ({ ...row, reports: row.reports === 1 });

/** Oldest first. */
export async function listOrganizationsOf(db: Db, userId: number): Promise<OwnOrganization[]> {
  const rows = await memberships(db, userId).orderBy("organizations.id").execute();
  return rows.map(shape);
}

/** Undefined when unknown or not theirs. */
export async function findOrganizationOf(
  db: Db,
  userId: number,
  key: OrganizationKey,
): Promise<OwnOrganization | undefined> {
  const [[column, value]] = Object.entries(key) as [["id" | "uuid" | "slug" | "name", string | number]];
  const row = await memberships(db, userId).where(`organizations.${column}`, "=", value).executeTakeFirst();
  return row && shape(row);
}

const memberships = (db: Db, userId: number) =>
  db
    .selectFrom("organizations")
    .innerJoin("memberships", "memberships.organization_id", "organizations.id")
    .select([...columns, "memberships.role"])
    .where("memberships.user_id", "=", userId);

/** For the command line. With `name`, the oldest of that name. */
export async function findOrganization(db: Db, key: OrganizationKey): Promise<Organization | undefined> {
  const [[column, value]] = Object.entries(key) as [["id" | "uuid" | "slug" | "name", string | number]];
  const row = await db
    .selectFrom("organizations")
    .select(columns)
    .where(`organizations.${column}`, "=", value)
    .orderBy("organizations.id")
    .executeTakeFirst();
  return row && shape(row);
}

/** Undefined when the slug is taken. */
export async function insertOrganization(
  db: Db,
  organization: { uuid: string; name: string; slug: string; plan: string; reports: boolean },
  now: number,
): Promise<number | undefined> {
  const row = await db
    .insertInto("organizations")
    .values({
      ...organization,
      reports: organization.reports ? 1 : 0,
      created_at: now,
      updated_at: now,
    })
    .onConflict((conflict) => conflict.column("slug").doNothing())
    .returning("id")
    .executeTakeFirst();
  return row?.id;
}

export async function updateOrganization(
  db: Db,
  id: number,
  change: { name?: string; plan?: string; reports?: boolean; deletesAt?: number | null },
  now: number,
): Promise<void> {
  await db
    .updateTable("organizations")
    .set({
      updated_at: now,
      name: change.name,
      plan: change.plan,
      deletes_at: change.deletesAt,
      reports: change.reports === undefined ? undefined : change.reports ? 1 : 0,
    })
    .where("id", "=", id)
    .execute();
}

/**
 * Until this transaction ends, no monitor of it is created or renamed, its owners do not change, and it is
 * not deleted. Undefined when it is gone.
 */
export const lockOrganization = (
  trx: Db,
  organizationId: number,
): Promise<{ name: string; deletesAt: number | null } | undefined> =>
  lockRows(
    trx,
    trx
      .selectFrom("organizations")
      .select(["name", "deletes_at as deletesAt"])
      .where("id", "=", organizationId),
  ).executeTakeFirst();

/** Invitations and keys that have expired do not count. */
export interface OrganizationUsage {
  domains: number;
  services: number;
  devices: number;
  members: number;
  invitations: number;
  apiKeys: number;
}

export async function countOwned(db: Db, organizationId: number, now: number): Promise<OrganizationUsage> {
  const count = (table: "memberships" | "invitations" | "api_keys") =>
    db
      .selectFrom(table)
      .select((select) => select.fn.countAll().as("count"))
      .where("organization_id", "=", organizationId);
  const monitors = await db
    .selectFrom("monitor_counts")
    .select(["kind", "count"])
    .where("organization_id", "=", organizationId)
    .execute();
  const ofKind = (wanted: string) => Number(monitors.find(({ kind }) => kind === wanted)?.count ?? 0);
  const members = await count("memberships").executeTakeFirstOrThrow();
  const invitations = await count("invitations").where("expires_at", ">", now).executeTakeFirstOrThrow();
  const apiKeys = await count("api_keys")
    .where((where) => where.or([where("expires_at", "is", null), where("expires_at", ">", now)]))
    .executeTakeFirstOrThrow();
  return {
    domains: ofKind("domain"),
    services: ofKind("service"),
    devices: ofKind("device"),
    members: Number(members.count),
    invitations: Number(invitations.count),
    apiKeys: Number(apiKeys.count),
  };
}

export async function countOwnedMonitors(
  db: Db,
  organizationId: number,
  kinds: readonly MonitorKind[],
): Promise<number> {
  const { count } = await db
    .selectFrom("monitor_counts")
    .select((select) => select.fn.sum<number | null>("count").as("count"))
    .where("organization_id", "=", organizationId)
    .where("kind", "in", kinds)
    .executeTakeFirstOrThrow();
  return Number(count);
}

interface DueOrganization {
  id: number;
  deletesAt: number;
  hasMonitors: boolean;
}

export async function listDueOrganizations(db: Db, now: number): Promise<DueOrganization[]> {
  const rows = await db
    .selectFrom("organizations")
    .select(["id", "deletes_at"])
    .select((select) =>
      select
        .selectFrom("monitors")
        .select("monitors.id")
        .whereRef("monitors.organization_id", "=", "organizations.id")
        .limit(1)
        .as("monitor"),
    )
    .where("deletes_at", "<=", now)
    .orderBy("id")
    .execute();
  return rows.map(({ id, deletes_at, monitor }) => ({
    id,
    deletesAt: Number(deletes_at),
    hasMonitors: monitor !== null,
  }));
}

/** Marks up to `limit` as deleted, as of when its time was over; returns how many. */
export async function deleteMonitorsOf(
  db: Db,
  { id, deletesAt }: DueOrganization,
  limit: number,
): Promise<number> {
  const some = db
    .selectFrom("monitors")
    .select("id")
    .where("organization_id", "=", id)
    .where("deleted_at", "is", null)
    .orderBy("id")
    .limit(limit);
  const { numUpdatedRows } = await db
    .updateTable("monitors")
    .set({ deleted_at: deletesAt, secrets: null })
    .where("id", "in", some)
    .executeTakeFirstOrThrow();
  return Number(numUpdatedRows);
}

/**
 * Tables whose rows go with an organization, in the order to delete them. Not monitors (their history
 * goes first), nor live events (by age; the newest stays for its number).
 */
export const ORGANIZATIONS_OWN = TABLE_NAMES.filter((name) => {
  const { tenant } = detailsOf(name);
  const others = ["organizations", "monitors", "events"] satisfies TableName[];
  if (tenant === null || (others as string[]).includes(name)) return false;
  return typeof tenant === "string" || tenant.of !== "monitors";
}).toReversed();

/** Up to `limit`; returns how many. */
export async function deleteRowsOf(
  db: Db,
  name: TableName,
  organizationId: number,
  limit: number,
): Promise<number> {
  const table = sql.table(name);
  const row = sql.ref(isPostgres(db) ? "ctid" : "rowid");
  const some = sql`select ${row} from ${table} where ${ownedBy(name, organizationId)} limit ${limit}`;
  const { numAffectedRows } = await sql`delete from ${table} where ${row} in (${some})`.execute(db);
  return Number(numAffectedRows ?? 0);
}

function ownedBy(name: TableName, organizationId: number): RawBuilder<unknown> {
  const { tenant } = detailsOf(name);
  if (tenant === null) throw new Error(`The rows of ${name} belong to no organization.`);
  if (typeof tenant === "string") return sql`${sql.ref(tenant)} = ${organizationId}`;
  const { column, of } = tenant;
  const owner = ownedBy(of as TableName, organizationId);
  return sql`${sql.ref(column)} in (select id from ${sql.table(of)} where ${owner})`;
}

export async function removeOrganization(db: Db, id: number): Promise<void> {
  await db.deleteFrom("organizations").where("id", "=", id).where("deletes_at", "is not", null).execute();
}
