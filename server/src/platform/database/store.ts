import { setTimeout } from "node:timers/promises";
import type pg from "pg";
import { isLostRace } from "./errors.ts";
import { collectEvents, writeEvents } from "./events.ts";
import type { ReadInWorker } from "./reader.ts";
import type { Db } from "./schema.ts";

export interface Store {
  readonly engine: "sqlite" | "postgres";
  readonly db: Db;
  /** PostgreSQL's pool, for LISTEN and rate limits; null on SQLite. */
  readonly pool: pg.Pool | null;
  /**
   * Use only the handle given: SQLite has one connection, so `store.db` would wait for ever. Lock in the
   * order
   * of docs/adr/0014. PostgreSQL may end `work` in favour of another transaction; it then runs again, so it
   * must change nothing outside.
   */
  transaction<T>(work: (trx: Db) => Promise<T>): Promise<T>;
  /** Reads about all monitors of an organization without holding up the main thread; not within a transaction. */
  readInWorker: ReadInWorker;
  close(): Promise<void>;
}

/** Reads of one moment: what others store in between is seen by none of them. `read` must not write. */
export function atOneMoment<T>(store: Store, read: (db: Store["db"]) => Promise<T>): Promise<T> {
  const transaction = store.db.transaction();
  const reading = store.engine === "sqlite" ? transaction : transaction.setIsolationLevel("repeatable read");
  return reading.execute(read);
}

const ATTEMPTS = 5;
/** Before the second attempt at most this; twice that before the third, and so on. */
const PAUSE_MS = 20;

/** A transaction that loses is run again after a random pause, so the other gets through. Events come last. */
export const inTransaction =
  (db: Db): Store["transaction"] =>
  async (work) => {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await db.transaction().execute(async (trx) => {
          collectEvents(trx);
          const result = await work(trx);
          await writeEvents(trx);
          return result;
        });
      } catch (error) {
        if (attempt === ATTEMPTS || !isLostRace(error)) throw error;
        await setTimeout(Math.random() * PAUSE_MS * 2 ** (attempt - 1));
      }
    }
  };
