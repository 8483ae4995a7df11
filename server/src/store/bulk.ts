import { CompiledQuery, type Kysely } from "kysely";
import { isPostgres } from "./dialect.ts";
import { eachRow } from "./sqlite.ts";

/** What to do with a row whose key exists: leave the old one, or set `update` columns from the new one. */
export type OnConflict = "nothing" | { keys: string[]; update: string[] };

/** Rows one PostgreSQL statement carries; keeps a single message to a few hundred kilobytes. */
const ROWS_A_STATEMENT = 2_000;

/**
 * Inserts any number of rows, all with the columns of the first one; columns left out get their
 * defaults. Without `onConflict` a row that exists is an error (a unique violation).
 */
export async function insertMany(
  // biome-ignore lint/suspicious/noExplicitAny: any schema
  db: Kysely<any>,
  table: string,
  rows: readonly object[],
  onConflict?: OnConflict,
): Promise<void> {
  const first = rows[0];
  if (!first) return;
  const columns = Object.keys(first);
  if (!isPostgres(db)) {
    const values = columns.map(() => "?").join();
    const text = `${into(table, columns)} values (${values})${conflict(onConflict)}`;
    const tuples = rows.map((row) =>
      columns.map((column) => (row as Record<string, unknown>)[column] ?? null),
    );
    await db.executeQuery(CompiledQuery.raw(text, [eachRow(tuples)]));
    return;
  }
  const source = `select ${list(columns)} from json_populate_recordset(null::${quote(table)}, $1::json)`;
  const text = `${into(table, columns)} ${source}${conflict(onConflict)}`;
  for (let from = 0; from < rows.length; from += ROWS_A_STATEMENT) {
    const slice = rows.slice(from, from + ROWS_A_STATEMENT);
    await db.executeQuery(CompiledQuery.raw(text, [postgresJson(slice)]));
  }
}

const quote = (name: string) => `"${name.replaceAll('"', '""')}"`;
const list = (columns: readonly string[]) => columns.map(quote).join();
const into = (table: string, columns: readonly string[]) => `insert into ${quote(table)} (${list(columns)})`;

function conflict(onConflict: OnConflict | undefined): string {
  if (!onConflict) return "";
  if (onConflict === "nothing") return " on conflict do nothing";
  const set = onConflict.update.map((column) => `${quote(column)} = excluded.${quote(column)}`).join();
  return ` on conflict (${list(onConflict.keys)}) do update set ${set}`;
}

/** Rows as JSON that PostgreSQL turns into its own types: bytes in hex, and no NUL, which its text cannot hold. */
function postgresJson(rows: readonly object[]): string {
  return JSON.stringify(rows, (_key, value) => {
    if (typeof value === "string") return value.includes("\0") ? value.replaceAll("\0", "") : value;
    return value instanceof Uint8Array ? `\\x${Buffer.from(value).toString("hex")}` : value;
  });
}
