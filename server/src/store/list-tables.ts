import { sql } from "kysely";
import { type AnyDb, isPostgres } from "./dialect.ts";

/** Every table in the database, Vedette's or not. */
export async function listTables(db: AnyDb): Promise<string[]> {
  const query = isPostgres(db)
    ? sql<{ name: string }>`select tablename as name from pg_tables where schemaname = current_schema()`
    : sql<{
        name: string;
      }>`select name from sqlite_master where type = 'table' and name not like 'sqlite\\_%' escape '\\'`;
  return (await query.execute(db)).rows.map((row) => row.name);
}
