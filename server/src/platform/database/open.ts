import { accessSync, constants, existsSync } from "node:fs";
import type { Socket } from "node:net";
import { Kysely, PostgresDialect } from "kysely";
import pg from "pg";
import { isDamaged, isNotADatabase, isUnavailable } from "./errors.ts";
import { type Migrations, migrate } from "./migrate.ts";
import { openReader, readHere } from "./reader.ts";
import type { Schema } from "./schema.ts";
import { openDatabase, sqliteDialect } from "./sqlite.ts";
import { inTransaction, type Store } from "./store.ts";

const INT8 = 20;
const NUMERIC = 1700;
/** No query of the server takes this long; one that does is cut off and answered with 503. */
const STATEMENT_TIMEOUT_MS = 30_000;
/** A process that stops in the middle of a transaction must not hold its locks for ever. */
const IDLE_TRANSACTION_TIMEOUT_MS = 30_000;

/** After the statement timeout the server has this long to say so; one that does not is frozen or out of reach. */
const SILENCE_GRACE_MS = 5_000;

/** bigint and numeric columns hold milliseconds, microseconds and counts: all below 2^53. */
const types: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: "text" | "binary") =>
    oid === INT8 || oid === NUMERIC ? Number : pg.types.getTypeParser(oid, format as "text")) as never,
};

/** A broken connection shows in its query; its `error` event needs a listener or it ends the process. */
export function openPool(url: string): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    max: 10,
    connectionTimeoutMillis: 5_000,
    statement_timeout: STATEMENT_TIMEOUT_MS,
    idle_in_transaction_session_timeout: IDLE_TRANSACTION_TIMEOUT_MS,
    keepAlive: true,
    types,
    application_name: "vedette",
  });
  pool.on("error", () => {});
  pool.on("connect", (client) => {
    client.on("error", () => {});
    endWhenSilent(client);
  });
  return pool;
}

/** What pg keeps on a client beside its published types. */
interface ClientInside {
  connection: { stream: Socket };
  /** False while a query is under way. */
  readyForQuery: boolean;
  connectionParameters: { statement_timeout: number | string };
}

/** A server that hangs ends no query by itself: without this the caller would wait for hours. */
function endWhenSilent(client: pg.PoolClient): void {
  const inside = client as unknown as ClientInside;
  const { stream } = inside.connection;
  // `?statement_timeout=` in the address goes before ours.
  stream.setTimeout(Number(inside.connectionParameters.statement_timeout) + SILENCE_GRACE_MS);
  stream.on("timeout", () => {
    if (inside.readyForQuery) return;
    stream.destroy(new Error("Connection terminated: PostgreSQL does not answer"));
  });
}

export const postgresDialect = (pool: pg.Pool) => new PostgresDialect({ pool });

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
