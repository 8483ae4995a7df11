import { CompiledQuery, sql } from "kysely";
import type { BackupRows } from "./backup-file.ts";
import type { Db } from "./db.ts";
import { isPostgres } from "./dialect.ts";
import { detailsOf, TABLE_NAMES, type TableName } from "./schema.ts";

/** The tables that a backup has, in the order in which their rows come back. */
export const BACKUP_TABLES = TABLE_NAMES.filter((name) => detailsOf(name).backup !== "left out");

const ROWS_A_CHUNK = 1_000;

/** All rows of the tables, some at a time. `trx` must be a transaction; PostgreSQL reads by a cursor. */
export async function* readTables(trx: Db, tables: readonly TableName[]): AsyncGenerator<BackupRows> {
  for (const table of tables) {
    for await (const rows of isPostgres(trx) ? fetchRows(trx, table) : streamRows(trx, table)) {
      yield { table, rows };
    }
  }
}

type Rows = Record<string, unknown>[];

async function* fetchRows(trx: Db, table: string): AsyncGenerator<Rows> {
  await sql`declare backup_rows no scroll cursor for select * from ${sql.table(table)}`.execute(trx);
  const fetch = CompiledQuery.raw(`fetch ${ROWS_A_CHUNK} from backup_rows`);
  for (;;) {
    const { rows } = await trx.executeQuery(fetch);
    if (rows.length === 0) break;
    yield rows as Rows;
  }
  await sql`close backup_rows`.execute(trx);
}

async function* streamRows(trx: Db, table: TableName): AsyncGenerator<Rows> {
  let rows: Rows = [];
  for await (const row of trx.selectFrom(table).selectAll().stream()) {
    rows.push(row as Record<string, unknown>);
    if (rows.length < ROWS_A_CHUNK) continue;
    yield rows;
    rows = [];
  }
  if (rows.length > 0) yield rows;
}

/** The highest id that each table has given, removed rows included, so that no id is given twice. */
export async function readSequences(trx: Db): Promise<Record<string, number>> {
  const query = isPostgres(trx)
    ? sql<{ name: string; value: number | null }>`
        select c.relname as name,
          pg_sequence_last_value(pg_get_serial_sequence(quote_ident(c.relname), a.attname)::regclass) as value
        from pg_attribute a join pg_class c on c.oid = a.attrelid
        where a.attidentity <> '' and c.relkind = 'r' and c.relnamespace = current_schema()::regnamespace`
    : sql<{ name: string; value: number | null }>`select name, seq as value from sqlite_sequence`;
  const { rows } = await query.execute(trx);
  return Object.fromEntries(rows.filter((row) => row.value).map((row) => [row.name, Number(row.value)]));
}

/** Makes each table go on counting after the given ids. The tables must be as they were when those were read. */
export async function writeSequences(trx: Db, sequences: Record<string, number>): Promise<void> {
  for (const [table, value] of Object.entries(sequences)) {
    if (isPostgres(trx)) {
      await sql`select setval(pg_get_serial_sequence(quote_ident(${table}), 'id'), ${value}::bigint)`.execute(
        trx,
      );
      continue;
    }
    await sql`delete from sqlite_sequence where name = ${table}`.execute(trx);
    await sql`insert into sqlite_sequence (name, seq) values (${table}, ${value})`.execute(trx);
  }
}
