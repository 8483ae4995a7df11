import {
  type Kysely,
  PostgresAdapter,
  type RawBuilder,
  type SelectQueryBuilder,
  type SqlBool,
  sql,
} from "kysely";

/** Whether `db` (or the transaction) speaks to PostgreSQL; otherwise it is SQLite. */
// biome-ignore lint/suspicious/noExplicitAny: any schema, migrations included
export function isPostgres(db: Kysely<any>): boolean {
  return db.getExecutor().adapter instanceof PostgresAdapter;
}

/**
 * `column in (…)` for any number of ids with one parameter, so the statement is the same for one id
 * and for ten thousand: `.where(idIn("monitor_id", ids))`. Numbers must be integers.
 */
export function idIn(column: string, ids: readonly number[] | readonly string[]): RawBuilder<SqlBool> {
  if (ids.length === 0) return sql<SqlBool>`1 = 0`;
  // The keys of a JSON object are the one list that both engines unfold with the same words.
  const keys = `{${[...new Set<number | string>(ids)].map((id) => `${JSON.stringify(String(id))}:0`).join()}}`;
  const key = typeof ids[0] === "number" ? sql`cast(key as bigint)` : sql`key`;
  return sql<SqlBool>`${sql.ref(column)} in (select ${key} from json_each(${keys}))`;
}

/**
 * Adds `for update` on PostgreSQL, so that another replica's transaction waits for this one. SQLite
 * has one writer, whose transaction excludes the others already.
 */
// biome-ignore lint/suspicious/noExplicitAny: any schema
export function lockRows<Q extends SelectQueryBuilder<any, any, any>>(db: Kysely<any>, query: Q): Q {
  return isPostgres(db) ? (query.forUpdate() as Q) : query;
}
