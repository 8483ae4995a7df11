import { sql } from "kysely";
import type { Migration } from "kysely/migration";
import { baseline } from "./migrations/001-baseline.ts";
import { words } from "./migrations/002-words.ts";
import { type Db, isTableName } from "./schema.ts";
import { isPostgres, listTables } from "./sql.ts";

const LOCK_ID = 7_233_351_907;
export const MIGRATION_TABLE = "migrations";
const BASELINE = "001-baseline";

/**
 * All or nothing; returns the names. Replicas that start together wait for each other (advisory lock,
 * write lock). Throws an Error for the operator when the database is newer, too old, or not ours.
 */
export async function migrate(db: Db, migrations: Migrations = MIGRATIONS): Promise<string[]> {
  return db.transaction().execute(async (trx) => {
    await lockMigrations(trx);
    await refuseForeign(trx, migrations, await appliedMigrations(trx));
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

/** Throws when the database has migrations that `migrations` lacks, or tables of the same names that are not Vedette's. */
export async function refuseForeign(
  db: Db,
  migrations: Migrations,
  applied: readonly string[] | null,
): Promise<void> {
  if (applied) return refuseUnknown("The data", applied, migrations);
  const tables = await listTables(db);
  const ours = tables.filter(isTableName);
  if (ours.length === 0) return;
  throw new Error(
    `The database holds tables of another program (${ours.join(", ")}). Give Vedette a database of its own.`,
  );
}

/** Throws when `applied` has a migration that `migrations` lacks: of a newer program, or of before the baseline. */
export function refuseUnknown(what: string, applied: readonly string[], migrations: Migrations): void {
  const unknown = applied.find((name) => !(name in migrations));
  if (unknown === undefined) return;
  const { first, commit } = BEFORE_BASELINE;
  throw new Error(
    applied.includes(first)
      ? `${what} was written by a version from before the first release, which only versions up to commit ${commit} can read. With that commit, bring it up to date (vedette migrate, or vedette restore FILE) and make a backup (vedette backup FILE); then restore that backup with this version.`
      : `${what} was written by a newer version of Vedette: it has the migration ${unknown}, which this version does not know. Use that version or a newer one.`,
  );
}

/** `applied`, where all migrations of before the baseline are the baseline, which makes the same of an empty database. */
export function sinceBaseline(applied: readonly string[]): readonly string[] {
  const { first, last } = BEFORE_BASELINE;
  return applied[0] === first && applied.at(-1) === last ? [BASELINE] : applied;
}

/** Oldest first; null when it never had any. */
export async function appliedMigrations(db: Db): Promise<string[] | null> {
  if (!(await listTables(db)).includes(MIGRATION_TABLE)) return null;
  const { rows } = await sql<{
    name: string;
  }>`select name from ${sql.table(MIGRATION_TABLE)} order by name`.execute(db);
  return rows.map((row) => row.name);
}

export interface RevivedKey {
  organization: string;
  name: string;
  prefix: string;
}

/** The uuids of the keys that work at `now`, in whichever version the database is. */
export async function liveKeys(db: Db, now: number): Promise<Set<string>> {
  const rows = await db
    .selectFrom("api_keys")
    .select("uuid")
    .where((where) => where.or([where("expires_at", "is", null), where("expires_at", ">", now)]))
    .execute();
  return new Set(rows.map(({ uuid }) => uuid));
}

/** The restored keys that work at `now` and are not among those that worked before. */
export async function revivedKeys(db: Db, before: ReadonlySet<string>, now: number): Promise<RevivedKey[]> {
  const rows = await db
    .selectFrom("api_keys")
    .innerJoin("organizations", "organizations.id", "api_keys.organization_id")
    .select(["api_keys.uuid", "organizations.name as organization", "api_keys.name", "api_keys.prefix"])
    .where((where) => where.or([where("expires_at", "is", null), where("expires_at", ">", now)]))
    .orderBy("organizations.name")
    .orderBy("api_keys.id")
    .execute();
  return rows.filter(({ uuid }) => !before.has(uuid)).map(({ uuid: _, ...key }) => key);
}

export type Migrations = Readonly<Record<string, Migration>>;

export const WORDS = "002-words";

/** Every migration, oldest first: the number in the name is the order. From the first release on none is ever changed. */
export const MIGRATIONS: Migrations = { "001-baseline": baseline, [WORDS]: words };

/** The first and the last of the migrations that were there before the baseline, which creates the same, and the last commit with them. */
export const BEFORE_BASELINE = { first: "001-foundation", last: "152-refusals", commit: "2d82b5a0" } as const;
