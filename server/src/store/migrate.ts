import { sql } from "kysely";
import type { Db } from "./db.ts";
import { isPostgres } from "./dialect.ts";
import { listTables } from "./list-tables.ts";
import { MIGRATIONS, type Migrations } from "./migrations/all.ts";
import { isTableName } from "./schema.ts";

const LOCK_ID = 7_233_351_907;
/** Which migrations were applied, and when. */
export const MIGRATION_TABLE = "migrations";

/**
 * Applies what is missing, all or nothing, and returns the names. One at a time: replicas that start
 * together wait for each other (an advisory lock on PostgreSQL, the write lock on SQLite). Throws an
 * Error made for the operator when the database is newer than this program, or somebody else's.
 */
export async function migrate(db: Db, migrations: Migrations = MIGRATIONS): Promise<string[]> {
  return db.transaction().execute(async (trx) => {
    await lockMigrations(trx);
    await refuseForeign(trx, migrations);
    return applyMigrations(trx, migrations);
  });
}

/** Until the transaction ends, no other process migrates, and no statement is cut off for its length. */
export async function lockMigrations(trx: Db): Promise<void> {
  if (!isPostgres(trx)) return;
  await sql`set local statement_timeout = 0`.execute(trx);
  await sql`select pg_advisory_xact_lock(${sql.lit(LOCK_ID)})`.execute(trx);
}

/** The missing migrations up to and including `last` (all without it), within the caller's transaction. */
export async function applyMigrations(trx: Db, migrations: Migrations, last?: string): Promise<string[]> {
  const table = sql.table(MIGRATION_TABLE);
  await sql`create table if not exists ${table} (name text primary key, applied_at bigint not null)`.execute(
    trx,
  );
  const applied = (await appliedMigrations(trx)) ?? [];
  const names = Object.keys(migrations).sort();
  const wanted = last ? names.slice(0, names.indexOf(last) + 1) : names;
  const missing = wanted.filter((name) => !applied.includes(name));
  for (const name of missing) {
    await migrations[name]?.up(trx);
    await sql`insert into ${table} (name, applied_at) values (${name}, ${Date.now()})`.execute(trx);
  }
  return missing;
}

/** Throws when the database is newer than `migrations`, or has tables of the same names that are not Vedette's. */
export async function refuseForeign(db: Db, migrations: Migrations): Promise<void> {
  const applied = await appliedMigrations(db);
  if (applied) return refuseNewer("The data", applied, migrations);
  const tables = await listTables(db);
  const ours = tables.filter(isTableName);
  if (ours.length === 0) return;
  throw new Error(
    `The database holds tables of another program (${ours.join(", ")}). Give Vedette a database of its own.`,
  );
}

/** Throws when `applied` has a migration that `migrations` lacks. `what` was written by the newer program. */
export function refuseNewer(what: string, applied: readonly string[], migrations: Migrations): void {
  const unknown = applied.find((name) => !(name in migrations));
  if (unknown === undefined) return;
  throw new Error(
    `${what} was written by a newer version of Vedette: it has the migration ${unknown}, which this version does not know. Use that version or a newer one.`,
  );
}

/** Names of the migrations the database has, oldest first; null when it never had any. */
export async function appliedMigrations(db: Db): Promise<string[] | null> {
  if (!(await listTables(db)).includes(MIGRATION_TABLE)) return null;
  const { rows } = await sql<{
    name: string;
  }>`select name from ${sql.table(MIGRATION_TABLE)} order by name`.execute(db);
  return rows.map((row) => row.name);
}
