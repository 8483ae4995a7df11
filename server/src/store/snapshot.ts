import type { Store } from "./store.ts";

/** Reads of one moment: what others store in between is seen by none of them. `read` must not write. */
export function atOneMoment<T>(store: Store, read: (db: Store["db"]) => Promise<T>): Promise<T> {
  const transaction = store.db.transaction();
  const reading = store.engine === "sqlite" ? transaction : transaction.setIsolationLevel("repeatable read");
  return reading.execute(read);
}
