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

export function isPostgres(db: AnyDb): boolean {
  return db.getExecutor().adapter instanceof PostgresAdapter;
}

/** `column in (…)` with one parameter, so that the statement is the same for any number of (integer) ids. */
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

/** As `idIn`, so that PostgreSQL's planner walks an index instead of estimating a join: for large tables. */
export function among(db: AnyDb, column: string, ids: readonly number[]): RawBuilder<SqlBool> {
  if (!isPostgres(db)) {
    return sql<SqlBool>`${sql.ref(column)} in (select value from json_each(${JSON.stringify(ids)}))`;
  }
  return sql<SqlBool>`${sql.ref(column)} = any(${`{${ids.join()}}`}::bigint[])`;
}

/**
 * Counted from 1; 0: nowhere. No pattern: LIKE takes a hundred times as long for a near match, on SQLite's
 * thread.
 */
export const positionIn = (
  db: AnyDb,
  text: RawBuilder<string>,
  part: string | RawBuilder<string>,
): RawBuilder<number> =>
  isPostgres(db) ? sql<number>`strpos(${text}, ${part})` : sql<number>`instr(${text}, ${part})`;

/**
 * Locks rows against other replicas' transactions, but not against foreign keys to them (ingest opens
 * incidents of an organization that is being changed). SQLite has one writer anyway.
 */
export function lockRows<Q extends SelectQueryBuilder<any, any, any>>(db: AnyDb, query: Q): Q {
  return isPostgres(db) ? (query.forNoKeyUpdate() as Q) : query;
}

/** In the order of the ids, also locked so on PostgreSQL: two removals in other orders could deadlock. */
export function lockInOrder<Q extends SelectQueryBuilder<any, any, any>>(db: AnyDb, query: Q): Q {
  const ordered = query.orderBy("id");
  return (isPostgres(db) ? ordered.forUpdate() : ordered) as Q;
}
