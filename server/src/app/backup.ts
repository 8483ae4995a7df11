import { existsSync } from "node:fs";
import { rename, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { CompiledQuery, sql } from "kysely";
import { readerOf } from "../alerts/policy.ts";
import { takeBackPending } from "../alerts/queries/alerts.ts";
import {
  type BackupRows,
  checkBackupFile,
  readBackupFile,
  syncFolder,
  writeBackupFile,
} from "../platform/database/backup-file.ts";
import { insertMany } from "../platform/database/bulk.ts";
import {
  appliedMigrations,
  applyMigrations,
  liveKeys,
  lockMigrations,
  MIGRATION_TABLE,
  MIGRATIONS,
  type Migrations,
  type RevivedKey,
  refuseForeign,
  refuseUnknown,
  revivedKeys,
  sinceBaseline,
  WORDS,
} from "../platform/database/migrate.ts";
import { formerTable, rowsInWords, tableInWords } from "../platform/database/migrations/002-words.ts";
import { openStore, type StoreLocation } from "../platform/database/open.ts";
import { type Db, detailsOf, isTableName, TABLE_NAMES, type TableName } from "../platform/database/schema.ts";
import { isPostgres, listTables } from "../platform/database/sql.ts";
import { atOneMoment } from "../platform/database/store.ts";

interface Options {
  /** What the program knows, if not its own (tests). */
  migrations?: Migrations;
}

export interface Restored {
  /** The keys that did not work before; null if the former database cannot be read. */
  revivedKeys: RevivedKey[] | null;
}

/**
 * Writes a snapshot into `file`, beside running writers, restorable by either engine. Secrets stay sealed:
 * VEDETTE_SECRET_KEY or the key file must be backed up too. Returns the number of rows.
 */
export async function backupStore(
  location: StoreLocation,
  file: string,
  options: Options = {},
): Promise<{ rows: number }> {
  if ("file" in location && !existsSync(location.file)) {
    throw new Error(`There is no database ${location.file}, so there is nothing to back up.`);
  }
  const store = await openStore(location, { readOnly: true });
  try {
    return await atOneMoment(store, async (trx) => {
      if (store.engine === "postgres") await liftTimeouts(trx);
      const migrations = await appliedMigrations(trx);
      if (!migrations)
        throw new Error("The database has never been used by Vedette: there is nothing to back up.");
      refuseUnknown("The data", migrations, options.migrations ?? MIGRATIONS);
      const existing = await listTables(trx);
      const rows = await writeBackupFile(file, {
        migrations,
        createdAt: new Date().toISOString(),
        rows: readTables(
          trx,
          BACKUP_TABLES.flatMap(
            (table) => [table, formerTable(table)].find((one) => existing.includes(one)) ?? [],
          ),
        ),
        sequences: () => readSequences(trx),
      });
      return { rows };
    });
  } finally {
    await store.close();
  }
}

/**
 * Restores a backup of either engine, of this or an older version, in one step: after any failure the old
 * data is there. The server must be stopped; every session ends; revived keys are named. Throws an Error for
 * the operator.
 */
export async function restoreStore(
  location: StoreLocation,
  file: string,
  options: Options = {},
): Promise<Restored> {
  const migrations = options.migrations ?? MIGRATIONS;
  const checked = await checkBackupFile(file);
  const backup = { ...checked, migrations: sinceBaseline(checked.migrations) };
  refuseUnknown("The backup", backup.migrations, migrations);
  if ("url" in location) return restorePostgres(location.url, file, backup, migrations);
  return restoreSqlite(location.file, file, backup, migrations);
}

interface CheckedBackup {
  migrations: readonly string[];
  sequences: Record<string, number>;
}

async function restorePostgres(
  url: string,
  file: string,
  backup: CheckedBackup,
  migrations: Migrations,
): Promise<Restored> {
  const store = await openStore({ url }, { readOnly: true });
  try {
    const restored = await store.transaction(async (trx) => {
      await liftTimeouts(trx);
      await lockMigrations(trx);
      const applied = await appliedMigrations(trx);
      await refuseForeign(trx, migrations, applied && sinceBaseline(applied));
      const before = applied ? await liveKeys(trx, Date.now()) : null;
      const tables = [...TABLE_NAMES, MIGRATION_TABLE];
      await sql`drop table if exists ${sql.join(tables.map((table) => sql.table(table)))} cascade`.execute(
        trx,
      );
      return load(trx, file, backup, migrations, before);
    });
    await sql`analyze`.execute(store.db);
    return restored;
  } finally {
    await store.close();
  }
}

/** A new file, complete and closed, takes the old one's place. */
async function restoreSqlite(
  target: string,
  file: string,
  backup: CheckedBackup,
  migrations: Migrations,
): Promise<Restored> {
  const fresh = `${target}.${process.pid}.restoring`;
  await removeDatabase(fresh);
  try {
    const before = await keysBefore(target);
    const store = await openStore({ file: fresh }, { migrations: {} });
    const restored = await store
      .transaction(async (trx) => load(trx, file, backup, migrations, before))
      .finally(() => store.close());
    checkpointJournal(target);
    // What the old file's journal still holds must not be replayed into the new one.
    for (const suffix of ["-wal", "-shm"]) await rm(target + suffix, { force: true });
    await rename(fresh, target);
    await syncFolder(dirname(target));
    return restored;
  } catch (error) {
    await removeDatabase(fresh);
    throw error;
  }
}

/** Null where there was no database, or none that can be read: which may be why a backup is being restored. */
async function keysBefore(target: string): Promise<Set<string> | null> {
  if (!existsSync(target)) return null;
  try {
    const store = await openStore({ file: target }, { readOnly: true });
    return await liveKeys(store.db, Date.now()).finally(() => store.close());
  } catch {
    return null;
  }
}

/** Tables as they were when the backup was made, its rows, then what newer versions have changed since. */
async function load(
  trx: Db,
  file: string,
  backup: CheckedBackup,
  migrations: Migrations,
  keysBefore: ReadonlySet<string> | null,
): Promise<Restored> {
  const last = backup.migrations.at(-1);
  if (last) await applyMigrations(trx, migrations, last);
  const known = await listTables(trx);
  // The baseline makes the tables as they are called now.
  const isInWords = backup.migrations.includes(WORDS);
  for await (const some of readBackupFile(file)) {
    const { table, rows } = isInWords ? some : rowsInWords(some);
    if (!known.includes(table)) throw new Error(`${file} has rows of a table ${table} that does not exist.`);
    if (isRestored(table)) await insertMany(trx, table, rows);
  }
  const sequences = Object.entries(backup.sequences).map(([table, value]) => [tableInWords(table), value]);
  await writeSequences(trx, Object.fromEntries(sequences));
  await applyMigrations(trx, migrations);
  for (const table of TABLE_NAMES.filter((name) => detailsOf(name).backup === "removed again")) {
    await trx.deleteFrom(table).execute();
  }
  const channels = await trx.selectFrom("channels").select(["id", "type"]).execute();
  const types = new Map(channels.map(({ id, type }) => [id, type]));
  await takeBackPending(trx, (channelId) => readerOf(types.get(channelId) ?? "") === "machine");
  return { revivedKeys: keysBefore && (await revivedKeys(trx, keysBefore, Date.now())) };
}

/** What was ended, withdrawn or sent after the backup must not come back: sessions, mailed links, the outbox. */
const isRestored = (table: string) => !isTableName(table) || detailsOf(table).backup !== "not restored";

/** Moves what the old file's journal holds into the file, so that it is whole if the power fails now. */
function checkpointJournal(target: string): void {
  if (!existsSync(`${target}-wal`)) return;
  try {
    const database = new DatabaseSync(target);
    try {
      database.exec("PRAGMA wal_checkpoint(TRUNCATE)");
    } finally {
      database.close();
    }
  } catch {
    // The old file is no database any more, which may be why a backup is being restored.
  }
}

async function removeDatabase(file: string): Promise<void> {
  for (const suffix of ["", "-wal", "-shm"]) await rm(file + suffix, { force: true });
}

async function liftTimeouts(trx: Db): Promise<void> {
  await sql`set local statement_timeout = 0`.execute(trx);
  await sql`set local idle_in_transaction_session_timeout = 0`.execute(trx);
}

/** The tables that a backup has, in the order in which their rows come back. */
export const BACKUP_TABLES = TABLE_NAMES.filter((name) => detailsOf(name).backup !== "left out");

const ROWS_A_CHUNK = 1_000;

/** All rows of the tables, some at a time. `trx` must be a transaction; PostgreSQL reads by a cursor. */
async function* readTables(trx: Db, tables: readonly string[]): AsyncGenerator<BackupRows> {
  for (const table of tables) {
    for await (const rows of isPostgres(trx) ? fetchRows(trx, table) : streamRows(trx, table)) {
      yield { table, rows };
    }
  }
}

type Rows = Record<string, unknown>[];

async function* fetchRows(trx: Db, table: string): AsyncGenerator<Rows> {
  await sql`declare backup_rows no scroll cursor for select * from ${sql.table(table)}`.execute(trx);
  const fetch = CompiledQuery.raw(`fetch ${ROWS_A_CHUNK} from backup_rows`);
  for (;;) {
    const { rows } = await trx.executeQuery(fetch);
    if (rows.length === 0) break;
    yield rows as Rows;
  }
  await sql`close backup_rows`.execute(trx);
}

async function* streamRows(trx: Db, table: string): AsyncGenerator<Rows> {
  let rows: Rows = [];
  for await (const row of trx
    .selectFrom(table as TableName)
    .selectAll()
    .stream()) {
    rows.push(row as Record<string, unknown>);
    if (rows.length < ROWS_A_CHUNK) continue;
    yield rows;
    rows = [];
  }
  if (rows.length > 0) yield rows;
}

/** The highest id that each table has given, removed rows included, so that no id is given twice. */
async function readSequences(trx: Db): Promise<Record<string, number>> {
  const query = isPostgres(trx)
    ? sql<{ name: string; value: number | null }>`
        select c.relname as name,
          pg_sequence_last_value(pg_get_serial_sequence(quote_ident(c.relname), a.attname)::regclass) as value
        from pg_attribute a join pg_class c on c.oid = a.attrelid
        where a.attidentity <> '' and c.relkind = 'r' and c.relnamespace = current_schema()::regnamespace`
    : sql<{ name: string; value: number | null }>`select name, seq as value from sqlite_sequence`;
  const { rows } = await query.execute(trx);
  return Object.fromEntries(rows.filter((row) => row.value).map((row) => [row.name, Number(row.value)]));
}

/** Makes each table go on counting after the given ids. The tables must be as they were when those were read. */
async function writeSequences(trx: Db, sequences: Record<string, number>): Promise<void> {
  for (const [table, value] of Object.entries(sequences)) {
    if (isPostgres(trx)) {
      await sql`select setval(pg_get_serial_sequence(quote_ident(${table}), 'id'), ${value}::bigint)`.execute(
        trx,
      );
      continue;
    }
    await sql`delete from sqlite_sequence where name = ${table}`.execute(trx);
    await sql`insert into sqlite_sequence (name, seq) values (${table}, ${value})`.execute(trx);
  }
}
