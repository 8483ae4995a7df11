import type { Role } from "../../account/scopes.ts";
import type { Db } from "../db.ts";
import { lockRows } from "../dialect.ts";

export interface Organization {
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

/** An organization as one of its members sees it. */
export interface OwnOrganization extends Organization {
  role: Role;
}

/** How a caller may name an organization. */
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

/** Every organization the person belongs to, oldest first. */
export async function listOrganizationsOf(db: Db, userId: number): Promise<OwnOrganization[]> {
  const rows = await memberships(db, userId).orderBy("organizations.id").execute();
  return rows.map(shape);
}

/** One of the person's organizations; undefined when unknown or not theirs. */
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

/** Any organization, for the command line. With `name`, the oldest of that name. */
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

/** Adds an organization; undefined when the slug is taken. */
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

/** Changes what is given of an organization. */
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
 * Makes other creations and renamings of the organization's monitors, other changes of who owns it, and its deletion
 * wait until this transaction ends, so that what is counted or looked for next stays true. Undefined when it is gone.
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
