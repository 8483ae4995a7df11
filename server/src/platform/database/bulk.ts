import { CompiledQuery } from "kysely";
import { type AnyDb, isPostgres } from "./sql.ts";
import { type EachRow, eachRow } from "./sqlite.ts";

/**
 * For a row whose key exists: leave it, or set columns from the new one or by SQL expressions over the
 * columns and `excluded`. `keys`: columns, or the SQL of an index.
 */
export type OnConflict = "nothing" | { keys: string[] | string; update: string[] | Record<string, string> };

/** Rows one PostgreSQL statement carries; keeps a single message to a few hundred kilobytes. */
const ROWS_A_STATEMENT = 2_000;

/**
 * All with the columns of the first one. Without `onConflict`, an existing row is a unique violation. For
 * thousands of rows a second: `writeTuples`.
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
const list = (columns: readonly string[]): string => columns.map(quote).join();
const into = (table: string, columns: readonly string[]): string =>
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

/** Takes thousands of rows a second; columns with PostgreSQL's types. */
export interface HotTable {
  readonly name: string;
  readonly columns: Readonly<Record<string, "integer" | "bigint" | "text" | "bytea">>;
  /** The primary key; numbers all of it. */
  readonly keys: readonly string[];
}

export type Tuple = readonly (number | string | Uint8Array | null)[];

/**
 * Writes rows, no key twice; `update` says what becomes of existing ones. Takes a third of insertMany's time:
 * PostgreSQL gets a column as one array, not as JSON.
 */
export async function writeTuples(
  db: AnyDb,
  table: HotTable,
  tuples: readonly Tuple[],
  update: Exclude<OnConflict, "nothing">["update"],
): Promise<void> {
  const tail = conflict({ keys: [...table.keys], update });
  if (isPostgres(db)) await sendArrays(db, table, tuples, (insert) => insert + tail);
  else await runTuples(db, table, tuples, tail);
}

/** Inserts the rows whose key is not there yet; returns for each whether it was new. */
export async function insertNewTuples(
  db: AnyDb,
  table: HotTable,
  tuples: readonly Tuple[],
): Promise<readonly boolean[]> {
  const tail = conflict("nothing");
  if (!isPostgres(db)) return (await runTuples(db, table, tuples, tail)).changed;
  const keys = list(table.keys);
  const returned = await sendArrays(db, table, tuples, (insert) => `${insert}${tail} returning ${keys}`);
  if (returned.length === tuples.length) return tuples.map(() => true);
  const fresh = new Set(returned.map((row) => table.keys.map((key) => row[key]).join()));
  const columns = Object.keys(table.columns);
  const at = table.keys.map((key) => columns.indexOf(key));
  // A key that comes twice among the rows counts once.
  return tuples.map((tuple) => fresh.delete(at.map((index) => tuple[index]).join()));
}

/** SQLite: one statement, run once for each row. */
async function runTuples(
  db: AnyDb,
  table: HotTable,
  tuples: readonly Tuple[],
  tail: string,
): Promise<EachRow> {
  const columns = Object.keys(table.columns);
  const each = eachRow(tuples);
  const text = `${into(table.name, columns)} values (${columns.map(() => "?").join()})${tail}`;
  await db.executeQuery(CompiledQuery.raw(text, [each]));
  return each;
}

/** `complete` makes the statement of its beginning, which inserts. Returns the rows that it returned. */
export async function sendArrays(
  db: AnyDb,
  table: HotTable,
  tuples: readonly Tuple[],
  complete: (insert: string) => string,
): Promise<Record<string, unknown>[]> {
  const columns = Object.keys(table.columns);
  const arrays = Object.values(table.columns).map((type, index) => `$${index + 1}::${type}[]`);
  const text = complete(`${into(table.name, columns)} select * from unnest(${arrays.join()})`);
  const returned: Record<string, unknown>[] = [];
  for (let from = 0; from < tuples.length; from += ROWS_A_STATEMENT) {
    const slice = tuples.slice(from, from + ROWS_A_STATEMENT);
    const parameters = columns.map((_column, index) => arrayText(slice, index));
    const { rows } = await db.executeQuery(CompiledQuery.raw(text, parameters));
    for (const row of rows) returned.push(row as Record<string, unknown>);
  }
  return returned;
}

/** The values of one column as PostgreSQL writes an array. */
function arrayText(tuples: readonly Tuple[], index: number): string {
  let text = "";
  for (const tuple of tuples) {
    const value = tuple[index] ?? null;
    text += text === "" ? "{" : ",";
    if (value === null) text += "NULL";
    else if (typeof value === "number") text += value;
    else if (typeof value === "string") text += quoted(value);
    else text += `"\\\\x${Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString("hex")}"`;
  }
  return `${text}}`;
}

/** What JSON writes otherwise than an array does: control characters, and halves of surrogate pairs. */
const OTHERWISE_IN_JSON = /[\p{Cc}\p{Cs}]/u;

/** Without NUL, which PostgreSQL's text cannot hold. */
function quoted(value: string): string {
  // Quotes and backslashes are the same in both; events of a batch are 200 kB, and JSON writes them in a quarter of the time.
  if (!OTHERWISE_IN_JSON.test(value)) return JSON.stringify(value);
  return `"${value.replaceAll("\0", "").replace(/["\\]/g, "\\$&")}"`;
}
