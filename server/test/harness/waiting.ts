import { sql } from "kysely";
import type { Db } from "../../src/platform/database/schema.ts";

/** How many sessions of this PostgreSQL database wait for a lock. */
export async function countWaiting(db: Db): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*) from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`.execute(db);
  return Number(rows[0]?.count);
}
