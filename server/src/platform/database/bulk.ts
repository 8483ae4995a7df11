import { CompiledQuery } from "kysely";
import { type AnyDb, isPostgres } from "./dialect.ts";
import { eachRow } from "./sqlite.ts";

/**
 * For a row whose key exists: leave it, or set columns from the new one or by SQL expressions over the
 * columns and `excluded`. `keys`: columns, or the SQL of an index.
 */
export type OnConflict = "nothing" | { keys: string[] | string; update: string[] | Record<string, string> };

/** Rows one PostgreSQL statement carries; keeps a single message to a few hundred kilobytes. */
export const ROWS_A_STATEMENT = 2_000;

/**
 * All with the columns of the first one. Without `onConflict`, an existing row is a unique violation. For
 * thousands of rows a second: tuples.ts.
 */
export async function insertMany(
  db: AnyDb,
  table: string,
  rows: readonly object[],
  onConflict?: OnConflict,
): Promise<void> {
  const first = rows[0];
  if (!first) return;
  const columns = Object.keys(first);
  if (isPostgres(db)) await runJson(db, table, columns, rows, conflict(onConflict));
  else await runEach(db, table, columns, rows, onConflict);
}

/** SQLite: one statement, run once for each row. */
async function runEach(
  db: AnyDb,
  table: string,
  columns: readonly string[],
  rows: readonly object[],
  onConflict: OnConflict | undefined,
): Promise<void> {
  const tuples = rows.map((row) => columns.map((column) => (row as Record<string, unknown>)[column] ?? null));
  const text = `${into(table, columns)} values (${columns.map(() => "?").join()})${conflict(onConflict)}`;
  await db.executeQuery(CompiledQuery.raw(text, [eachRow(tuples)]));
}

/** One statement for thousands of rows, which come as JSON and get the table's own types. */
async function runJson(
  db: AnyDb,
  table: string,
  columns: readonly string[],
  rows: readonly object[],
  tail: string,
): Promise<void> {
  const source = `select ${list(columns)} from json_populate_recordset(null::${quote(table)}, $1::json)`;
  const text = `${into(table, columns)} ${source}${tail}`;
  for (let from = 0; from < rows.length; from += ROWS_A_STATEMENT) {
    const slice = rows.slice(from, from + ROWS_A_STATEMENT);
    await db.executeQuery(CompiledQuery.raw(text, [postgresJson(slice)]));
  }
}

const quote = (name: string) => `"${name.replaceAll('"', '""')}"`;
export const list = (columns: readonly string[]): string => columns.map(quote).join();
export const into = (table: string, columns: readonly string[]): string =>
  `insert into ${quote(table)} (${list(columns)})`;

export function conflict(onConflict: OnConflict | undefined): string {
  if (!onConflict) return "";
  if (onConflict === "nothing") return " on conflict do nothing";
  const { keys, update } = onConflict;
  const set = Array.isArray(update)
    ? update.map((column) => `${quote(column)} = excluded.${quote(column)}`)
    : Object.entries(update).map(([column, expression]) => `${quote(column)} = ${expression}`);
  return ` on conflict (${Array.isArray(keys) ? list(keys) : keys}) do update set ${set.join()}`;
}

/** What PostgreSQL's text can hold: no NUL, and no half of a surrogate pair. */
const postgresText = (text: string): string => {
  const whole = text.toWellFormed();
  return whole.includes("\0") ? whole.replaceAll("\0", "") : whole;
};

/** Bytes in hex. */
function postgresJson(rows: readonly object[]): string {
  return JSON.stringify(rows, function (this: Record<string, unknown>, key, value) {
    if (typeof value === "string") return postgresText(value);
    // A Buffer has been made JSON by itself when it comes here.
    const own = this[key];
    return own instanceof Uint8Array ? `\\x${Buffer.from(own).toString("hex")}` : value;
  });
}
