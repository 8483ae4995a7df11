import { Kysely } from "kysely";
import type pg from "pg";
import { migrate } from "./migrate.ts";
import { openPool, postgresDialect } from "./postgres.ts";
import type { Schema } from "./schema.ts";
import { openDatabase, sqliteDialect } from "./sqlite.ts";

/** A connection or a transaction: every query function takes one as its first argument. */
export type Db = Kysely<Schema>;

export interface Store {
  readonly engine: "sqlite" | "postgres";
  readonly db: Db;
  /** PostgreSQL's pool, for LISTEN and rate limits; null on SQLite. */
  readonly pool: pg.Pool | null;
  /**
   * Runs `work` in one transaction. Inside, use only the handle given: SQLite has one connection,
   * so a query on `store.db` would wait for the transaction that waits for it.
   */
  transaction<T>(work: (trx: Db) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

/** Where the data is: a SQLite file, or a PostgreSQL server. */
export type StoreLocation = { file: string } | { url: string };

/** Opens the store and brings its schema up to date (under a lock; see migrate.ts). */
export async function openStore(location: StoreLocation): Promise<Store> {
  const store = "url" in location ? onPostgres(location.url) : onSqlite(location.file);
  try {
    await migrate(store);
    return store;
  } catch (error) {
    await store.close();
    throw error;
  }
}

function onSqlite(file: string): Store {
  const db = new Kysely<Schema>({ dialect: sqliteDialect(openDatabase(file)) });
  return { engine: "sqlite", db, pool: null, ...lifetime(db) };
}

function onPostgres(url: string): Store {
  const pool = openPool(url);
  const db = new Kysely<Schema>({ dialect: postgresDialect(pool) });
  return { engine: "postgres", db, pool, ...lifetime(db) };
}

function lifetime(db: Db): Pick<Store, "transaction" | "close"> {
  return {
    transaction: (work) => db.transaction().execute(work),
    close: () => db.destroy(),
  };
}
