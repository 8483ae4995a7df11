import { type Kysely, sql } from "kysely";
import { type Migration, Migrator } from "kysely/migration";
import { isPostgres } from "./dialect.ts";
import { foundation } from "./migrations/001-foundation.ts";
import { accounts } from "./migrations/002-accounts.ts";
import type { Db } from "./open.ts";

export type Migrations = Readonly<Record<string, Migration>>;

/** Every migration, oldest first. The number in the name is the order; none is ever changed. */
export const MIGRATIONS: Migrations = { "001-foundation": foundation, "002-accounts": accounts };

const LOCK_ID = 7_233_351_907;
/** What Kysely keeps its own records in. */
export const MIGRATION_TABLE = "kysely_migration";

/**
 * Applies what is missing, all or nothing, and returns the names. One at a time: replicas that start
 * together wait for each other (an advisory lock on PostgreSQL, the write lock on SQLite). Throws an
 * Error made for the operator when the database is newer than this program, or somebody else's.
 */
export async function migrate(db: Db, migrations: Migrations = MIGRATIONS): Promise<string[]> {
  return db.transaction().execute(async (trx) => {
    if (isPostgres(trx)) {
      await sql`set local statement_timeout = 0`.execute(trx);
      await sql`select pg_advisory_xact_lock(${sql.lit(LOCK_ID)})`.execute(trx);
    }
    await refuseForeign(trx, migrations);
    const migrator = new Migrator({ db: trx, provider: { getMigrations: async () => ({ ...migrations }) } });
    const { error, results } = await migrator.migrateToLatest();
    if (error) throw error;
    return (results ?? []).map((result) => result.migrationName);
  });
}

async function refuseForeign(db: Db, migrations: Migrations): Promise<void> {
  const tables = await listTables(db);
  if (tables.includes(MIGRATION_TABLE)) return refuseNewer(await appliedMigrations(db), migrations);
  const ours = tables.filter((name) => ["users", "monitors", "results", "meta"].includes(name));
  if (ours.length === 0) return;
  throw new Error(
    `The database holds tables of another program (${ours.join(", ")}). Give Vedette a database of its own.`,
  );
}

/** Throws when `applied` has a migration that this program does not know. */
export function refuseNewer(applied: readonly string[], migrations: Migrations = MIGRATIONS): void {
  const unknown = applied.find((name) => !(name in migrations));
  if (unknown === undefined) return;
  throw new Error(
    `The data was written by a newer version of Vedette: it has the migration ${unknown}, which this version does not know. Start that version or a newer one, or restore a backup that this version made.`,
  );
}

/** Names of the migrations the database has, oldest first. */
export async function appliedMigrations(db: Db): Promise<string[]> {
  const { rows } = await sql<{
    name: string;
  }>`select name from ${sql.table(MIGRATION_TABLE)} order by name`.execute(db);
  return rows.map((row) => row.name);
}

/** Every table in the database, Kysely's own included. */
// biome-ignore lint/suspicious/noExplicitAny: any schema
async function listTables(db: Kysely<any>): Promise<string[]> {
  const tables = await db.introspection.getTables({ withInternalKyselyTables: true });
  return tables.map((table) => table.name);
}
