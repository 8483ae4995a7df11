import {
  type Kysely,
  PostgresAdapter,
  type RawBuilder,
  type SelectQueryBuilder,
  type SqlBool,
  sql,
} from "kysely";

/** A connection or transaction over any schema, those of migrations included. */
// biome-ignore lint/suspicious/noExplicitAny: Kysely's handle is invariant in its schema
export type AnyDb = Kysely<any>;

/** Whether `db` (or the transaction) speaks to PostgreSQL; otherwise it is SQLite. */
export function isPostgres(db: AnyDb): boolean {
  return db.getExecutor().adapter instanceof PostgresAdapter;
}

/**
 * `column in (…)` for any number of ids with one parameter, so the statement is the same for one id
 * and for ten thousand: `.where(idIn("monitor_id", ids))`. Numbers must be integers.
 */
export function idIn(column: string, ids: readonly number[] | readonly string[]): RawBuilder<SqlBool> {
  if (ids.length === 0) return sql<SqlBool>`1 = 0`;
  if (typeof ids[0] === "number") return numberIn(column, sql`${idKeys(ids)}`);
  return sql<SqlBool>`${sql.ref(column)} in (select key from json_each(${idKeys(ids)}))`;
}

/** The same for numbers that a compiled query is given as `idKeys` (compile-once.ts). */
export const numberIn = (column: string, keys: RawBuilder<unknown>): RawBuilder<SqlBool> =>
  sql<SqlBool>`${sql.ref(column)} in (select cast(key as bigint) from json_each(${keys}))`;

/** Ids, each once, as the keys of a JSON object: the one list that both engines unfold with the same words (json_each). */
export const idKeys = (ids: readonly number[] | readonly string[]): string =>
  `{${[...new Set<number | string>(ids)].map((id) => `${JSON.stringify(String(id))}:0`).join()}}`;

/**
 * As `idIn` for numbers, in the words that give PostgreSQL's planner a list to walk an index with
 * instead of a join to estimate: for the large tables.
 */
export function among(db: AnyDb, column: string, ids: readonly number[]): RawBuilder<SqlBool> {
  if (!isPostgres(db)) {
    return sql<SqlBool>`${sql.ref(column)} in (select value from json_each(${JSON.stringify(ids)}))`;
  }
  return sql<SqlBool>`${sql.ref(column)} = any(${`{${ids.join()}}`}::bigint[])`;
}

/**
 * Where a text begins in another, counted from 1; 0: nowhere. Nothing in it is a pattern: LIKE takes a hundred times as
 * long for a text that nearly fits everywhere, and holds SQLite's thread meanwhile.
 */
export const positionIn = (
  db: AnyDb,
  text: RawBuilder<string>,
  part: string | RawBuilder<string>,
): RawBuilder<number> =>
  isPostgres(db) ? sql<number>`strpos(${text}, ${part})` : sql<number>`instr(${text}, ${part})`;

/**
 * Locks the rows on PostgreSQL, so that another replica's transaction waits for this one; who only
 * refers to them by a foreign key does not (ingest opens incidents of an organization that somebody
 * is changing). SQLite has one writer, whose transaction excludes the others already.
 */
export function lockRows<Q extends SelectQueryBuilder<any, any, any>>(db: AnyDb, query: Q): Q {
  return isPostgres(db) ? (query.forNoKeyUpdate() as Q) : query;
}

/**
 * `query`, which selects ids to remove the rows of, in the order of the ids; on PostgreSQL it locks the
 * rows in that order too: two removals of many rows, each in the order in which it finds them, could wait
 * for each other.
 */
export function lockInOrder<Q extends SelectQueryBuilder<any, any, any>>(db: AnyDb, query: Q): Q {
  const ordered = query.orderBy("id");
  return (isPostgres(db) ? ordered.forUpdate() : ordered) as Q;
}
