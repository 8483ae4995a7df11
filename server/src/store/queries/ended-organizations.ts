import { type RawBuilder, sql } from "kysely";
import type { Db } from "../db.ts";
import { isPostgres } from "../dialect.ts";
import { factsOf, TABLE_NAMES, type TableName } from "../schema.ts";

export interface DueOrganization {
  id: number;
  deletesAt: number;
  /** Some are left, marked as deleted or not. */
  hasMonitors: boolean;
}

/** The organizations that nobody can keep any more. */
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

/** Marks up to `limit` of its monitors as deleted, as of when its time was over; returns how many. */
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
 * The tables of which an organization takes its own rows along, those before others that they refer to. Monitors go
 * with their history first; live events go by age, and the newest is kept for its number.
 */
export const ORGANIZATIONS_OWN = TABLE_NAMES.filter((name) => {
  const { tenant } = factsOf(name);
  const others = ["organizations", "monitors", "events"] satisfies TableName[];
  if (tenant === null || (others as string[]).includes(name)) return false;
  return typeof tenant === "string" || tenant.of !== "monitors";
}).toReversed();

/** Removes up to `limit` of an organization's rows of a table; returns how many. */
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
  const { tenant } = factsOf(name);
  if (tenant === null) throw new Error(`The rows of ${name} are nobody's alone.`);
  if (typeof tenant === "string") return sql`${sql.ref(tenant)} = ${organizationId}`;
  const { column, of } = tenant;
  const owner = ownedBy(of as TableName, organizationId);
  return sql`${sql.ref(column)} in (select id from ${sql.table(of)} where ${owner})`;
}

/** Removes what is left of an organization: its row. */
export async function removeOrganization(db: Db, id: number): Promise<void> {
  await db.deleteFrom("organizations").where("id", "=", id).where("deletes_at", "is not", null).execute();
}
