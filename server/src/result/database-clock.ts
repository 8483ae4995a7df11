import type { Context } from "../context.ts";
import { databaseTime } from "../store/queries/meta.ts";

/** Clocks that are further apart are not in step. */
const APART_MS = 2 * 60_000;

/** Follows the database server's clock, and says in the log when this server's is minutes away from it. Milliseconds. */
export function followDatabaseClock({ store, log }: Pick<Context, "store" | "log">) {
  let aheadMs = 0;
  let isApart = false;
  return {
    /** How far this server's clock was ahead when the other was read; 0: it was not. */
    aheadMs: () => Math.max(0, aheadMs),
    /** What the other says, null where the database is part of this process. Throws the store's error. */
    async read(now: number): Promise<number | null> {
      const databaseMs = await databaseTime(store.db);
      if (databaseMs === null) return null;
      aheadMs = now - databaseMs;
      const before = isApart;
      isApart = Math.abs(aheadMs) > APART_MS;
      if (isApart && !before) log.warn({ aheadSeconds: Math.round(aheadMs / 1_000) }, APART);
      return databaseMs;
    },
  };
}

const APART =
  "The clock and that of the database server are minutes apart; until they agree, messages may come late or twice and monitors may be checked twice";
