import { accessSync, constants, existsSync } from "node:fs";
import { Kysely } from "kysely";
import { isDamaged, isNotADatabase, isUnavailable } from "./errors.ts";
import type { Migrations } from "./migrate.ts";
import { migrate } from "./migrate.ts";
import { openPool, postgresDialect } from "./postgres.ts";
import { openReader, readHere } from "./reader.ts";
import type { Schema } from "./schema.ts";
import { openDatabase, sqliteDialect } from "./sqlite.ts";
import type { Store } from "./store.ts";
import { inTransaction } from "./store.ts";

export type StoreLocation = { file: string } | { url: string };

export interface OpenOptions {
  /** For tools that only look, beside a running server: nothing is migrated, and SQLite refuses to write. */
  readOnly?: boolean;
  /** The migrations the program knows, if not its own (restoring an older backup; tests). */
  migrations?: Migrations;
}

/** Opens the store and migrates it. Throws an Error for the operator: unreachable, no database, or newer. */
export async function openStore(location: StoreLocation, options: OpenOptions = {}): Promise<Store> {
  try {
    const store = "url" in location ? onPostgres(location.url) : onSqlite(location.file, options);
    try {
      if (!options.readOnly) await migrate(store.db, options.migrations);
      return store;
    } catch (error) {
      await store.close();
      throw error;
    }
  } catch (error) {
    throw explain(location, error);
  }
}

function onSqlite(file: string, options: OpenOptions): Store {
  if (!options.readOnly) refuseUnwritable(file);
  const database = openDatabase(file, options);
  const db = new Kysely<Schema>({ dialect: sqliteDialect(database, options) });
  const reader = file === ":memory:" ? null : openReader(db, file);
  const close = async () => {
    await reader?.close();
    await db.destroy();
    // Kysely leaves a connection alone that no query has used.
    if (database.isOpen) database.close();
  };
  const readInWorker = reader?.readInWorker ?? readHere(db);
  return { engine: "sqlite", db, pool: null, transaction: inTransaction(db), readInWorker, close };
}

/** SQLite opens a file that it may not write as one to read, and says so at the first change only, without its name. */
function refuseUnwritable(file: string): void {
  try {
    if (existsSync(file)) accessSync(file, constants.R_OK | constants.W_OK);
  } catch (error) {
    const message = `The database ${file} cannot be written. Give this user the right to write it, or name another data folder.`;
    throw new Error(message, { cause: error });
  }
}

function onPostgres(url: string): Store {
  const pool = openPool(url);
  const db = new Kysely<Schema>({ dialect: postgresDialect(pool) });
  const close = async () => {
    await db.destroy();
    if (!pool.ending) await pool.end();
  };
  return { engine: "postgres", db, pool, transaction: inTransaction(db), readInWorker: readHere(db), close };
}

/** The driver's error in a sentence that names the place, never the password. */
function explain(location: StoreLocation, error: unknown): unknown {
  const reason = error instanceof Error ? error.message : String(error);
  if ("file" in location) {
    if (isNotADatabase(error)) {
      return new Error(
        `${location.file} is not a SQLite database. Move it away, or name another data folder.`,
        {
          cause: error,
        },
      );
    }
    if (isDamaged(error)) return new Error(damaged(location.file), { cause: error });
    if (!isUnavailable(error)) return error;
    return new Error(`The database ${location.file} cannot be opened: ${reason}.`, { cause: error });
  }
  if (!isUnavailable(error)) return error;
  return new Error(`PostgreSQL at ${hostOf(location.url)} cannot be used: ${reason}.`, { cause: error });
}

const damaged = (file: string) =>
  `The database ${file} is damaged: parts of it are missing or unreadable. Move it away with its -wal and -shm files and restore a backup; results that wait in probe-queue are stored afterwards.`;

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : "the address in DATABASE_URL";
}
