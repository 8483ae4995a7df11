import { setTimeout } from "node:timers/promises";
import type { Db } from "./db.ts";
import { isLostRace } from "./errors.ts";
import { collectEvents, writeEvents } from "./queries/events.ts";
import type { Store } from "./store.ts";

/** Reads of one moment: what others store in between is seen by none of them. `read` must not write. */
export function atOneMoment<T>(store: Store, read: (db: Store["db"]) => Promise<T>): Promise<T> {
  const transaction = store.db.transaction();
  const reading = store.engine === "sqlite" ? transaction : transaction.setIsolationLevel("repeatable read");
  return reading.execute(read);
}

const ATTEMPTS = 5;
/** Before the second attempt at most this; twice that before the third, and so on. */
const PAUSE_MS = 20;

/**
 * `Store.transaction` on `db`. Of transactions that wait for each other PostgreSQL ends one; it is run
 * again after a random pause, in which the other gets through. Events are written last of all.
 */
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
