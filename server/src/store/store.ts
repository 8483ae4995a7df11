import type pg from "pg";
import type { Db } from "./db.ts";
import type { ReadInWorker } from "./reader.ts";

/** The open store, on either engine; open.ts opens it. */
export interface Store {
  readonly engine: "sqlite" | "postgres";
  readonly db: Db;
  /** PostgreSQL's pool, for LISTEN and rate limits; null on SQLite. */
  readonly pool: pg.Pool | null;
  /**
   * Runs `work` in one transaction. Inside, use only the handle given: SQLite has one connection,
   * so a query on `store.db` would wait for the transaction that waits for it. Lock in the order of
   * docs/adr/0014. `work` is run again when PostgreSQL has ended it in favour of another transaction:
   * it must do nothing but read and write with the handle, and change nothing outside itself.
   */
  transaction<T>(work: (trx: Db) => Promise<T>): Promise<T>;
  /** Reads about all monitors of an organization without holding up the main thread; not within a transaction. */
  readInWorker: ReadInWorker;
  close(): Promise<void>;
}
