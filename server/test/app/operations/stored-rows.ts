import { sql } from "kysely";
import { BACKUP_TABLES } from "../../../src/app/backup.ts";
import type { Store } from "../../../src/platform/database/store.ts";

/**
 * Everything stored, by table: each row as this engine's text, in order. Of a PostgreSQL database with one query: one a table
 * takes three times as long.
 */
export async function storedRows({ engine, db }: Store): Promise<Record<string, string[]>> {
  const stored: Record<string, string[]> = {};
  if (engine === "postgres") {
    const parts = BACKUP_TABLES.map(
      (name) => sql`select ${sql.lit(name)} as name, one::text as text from ${sql.table(name)} as one`,
    );
    const all = sql<{ name: string; text: string }>`${sql.join(parts, sql` union all `)} order by 1, 2`;
    for (const { name, text } of (await all.execute(db)).rows) (stored[name] ??= []).push(text);
    return stored;
  }
  const shown = (value: unknown) =>
    value instanceof Uint8Array ? Buffer.from(value).toString("hex") : value;
  for (const name of BACKUP_TABLES) {
    const rows = await db.selectFrom(name).selectAll().execute();
    stored[name] = rows.map((row) => JSON.stringify(Object.values(row).map(shown))).sort();
  }
  return stored;
}
