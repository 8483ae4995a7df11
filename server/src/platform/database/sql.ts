import {
  type CompiledQuery,
  type Kysely,
  PostgresAdapter,
  type RawBuilder,
  type SelectQueryBuilder,
  type SqlBool,
  sql,
} from "kysely";
import { takeTurns } from "../turns.ts";
import type { Db } from "./schema.ts";
import type { AnyTable, Column, ColumnType } from "./table.ts";

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

/** The same for numbers that a compiled query is given as `idKeys` (compileOnce). */
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

/** Every table in the database, Vedette's or not. */
export async function listTables(db: AnyDb): Promise<string[]> {
  const query = isPostgres(db)
    ? sql<{ name: string }>`select tablename as name from pg_tables where schemaname = current_schema()`
    : sql<{
        name: string;
      }>`select name from sqlite_master where type = 'table' and name not like 'sqlite\\_%' escape '\\'`;
  return (await query.execute(db)).rows.map((row) => row.name);
}

/** Creates a table and its indexes as it is described, on either engine. Those that it refers to must be there. */
export async function createTable(db: AnyDb, name: string, table: AnyTable): Promise<void> {
  const { primaryKey, unique = [], indexes = {} } = table;
  const types = isPostgres(db) ? POSTGRES_TYPES : SQLITE_TYPES;
  const columns = Object.entries(table.columns);
  const lines = [
    ...columns.map(([column, details]) => `${column} ${definition(types, details)}`),
    ...(primaryKey ? [`primary key (${primaryKey.join(", ")})`] : []),
    ...unique.map((together) => `unique (${together.join(", ")})`),
    ...columns.flatMap(([column, { target }]) =>
      target ? [`foreign key (${column}) references ${target.table} (id) on delete ${target.onDelete}`] : [],
    ),
  ];
  const suffix = table.withoutRowid && !isPostgres(db) ? " without rowid" : "";
  await sql.raw(`create table ${name} (\n  ${lines.join(",\n  ")}\n)${suffix}`).execute(db);
  for (const [index, details] of Object.entries(indexes))
    await createIndex(db, { table: name, index, details });
}

/** Creates an index as its table describes it. */
export async function createIndex(
  db: AnyDb,
  { table, index, details }: { table: string; index: string; details: string },
): Promise<void> {
  const [, isUnique = "", rest] = /^(unique )?(.*)$/s.exec(details) ?? [];
  await sql.raw(`create ${isUnique}index ${index} on ${table} ${rest}`).execute(db);
}

type Types = Readonly<Record<ColumnType, string>>;

const SQLITE_TYPES: Types = {
  id: "integer primary key autoincrement",
  text: "text",
  bigint: "integer",
  integer: "integer",
  real: "real",
  blob: "blob",
};

const POSTGRES_TYPES: Types = {
  id: "bigint generated by default as identity primary key",
  text: "text",
  bigint: "bigint",
  integer: "integer",
  real: "double precision",
  blob: "bytea",
};

function definition(types: Types, { type, isNullable, defaultValue, isUnique }: Column): string {
  if (type === "id") return types.id;
  const value = typeof defaultValue === "string" ? `'${defaultValue.replaceAll("'", "''")}'` : defaultValue;
  return [
    types[type],
    isNullable ? "" : " not null",
    defaultValue === undefined ? "" : ` default ${value}`,
    isUnique ? " unique" : "",
  ].join("");
}

export type Ref = { id: number } | { uuid: string };

export const isRef = (table: string, ref: Ref) =>
  "id" in ref
    ? sql<SqlBool>`${sql.ref(`${table}.id`)} = ${ref.id}`
    : sql<SqlBool>`${sql.ref(`${table}.uuid`)} = ${ref.uuid}`;

/** Undefined when it is unknown. */
export async function findOwner(
  db: Db,
  table:
    | "api_keys"
    | "chat_conversations"
    | "deployment_webhooks"
    | "deployments"
    | "enrollment_tokens"
    | "incidents"
    | "integrations"
    | "maintenance_windows"
    | "monitors"
    | "notifications"
    | "status_pages"
    | "update_templates",
  ref: Ref,
): Promise<number | undefined> {
  const query = db.selectFrom(table).select("organization_id as owner");
  return (await query.where(isRef(table, ref)).executeTakeFirst())?.owner;
}

export interface ListPart {
  limit: number;
  offset: number;
  /** By the time of its items: `desc` is the newest first. */
  way: "asc" | "desc";
}

/** All rows, by number: `pageAfter` reads at most `size` of those after an id. Others get their turn between two pages. */
export async function readByNumber<Row extends { id: number }>(
  size: number,
  pageAfter: (afterId: number) => Promise<readonly Row[]>,
): Promise<Row[]> {
  const all: Row[] = [];
  const giveWay = takeTurns();
  for (let afterId = 0; ; ) {
    const rows = await pageAfter(afterId);
    for (const row of rows) all.push(row);
    if (rows.length < size) return all;
    afterId = (rows.at(-1) as Row).id;
    await giveWay();
  }
}

/** The uuids of a monitor's parents, with commas between; null: none. */
export const parentUuids = sql<string | null>`(
  select string_agg(parents.uuid, ',' order by parents.id) from monitor_parents
  join monitors as parents on parents.id = monitor_parents.parent_id
  where monitor_parents.monitor_id = monitors.id and parents.deleted_at is null)`;

export const uuidsIn = (joined: string | null): string[] => (joined === null ? [] : joined.split(","));

/** Placeholders in a query for values that come later: expressions, so that nothing can be computed with them. */
export type Slots<Values> = { readonly [Name in keyof Values]: RawBuilder<Values[Name]> };

type Build<Values, Shape, Row> = (
  db: Db,
  slots: Slots<Values>,
  shape: Shape,
) => { compile(db: Db): CompiledQuery<Row> };

/**
 * A query that runs all day: built and compiled at its first execution and then only given its
 * values. Building takes Kysely longer than SQLite takes to answer.
 *
 *     const findName = compileOnce((db, slots: Slots<{ id: number }>) =>
 *       db.selectFrom("users").select("name").where("id", "=", slots.id));
 *     const [row] = await findName(trx, { id: 3 });
 */
export function compileOnce<Values extends object, Row>(
  build: Build<Values, undefined, Row>,
): (db: Db, values: Values) => Promise<Row[]> {
  const run = compileEach(build);
  return (db, values) => run(db, undefined, values);
}

/** For a query whose SQL depends on more than its values. Each `shape` is cached for good: no user input. */
export function compileEach<Values extends object, Shape, Row>(
  build: Build<Values, Shape, Row>,
): (db: Db, shape: Shape, values: Values) => Promise<Row[]> {
  const sqlite = new Map<string | undefined, Compiled<Row>>();
  const postgres = new Map<string | undefined, Compiled<Row>>();
  return async (db, shape, values) => {
    const known = isPostgres(db) ? postgres : sqlite;
    const key = JSON.stringify(shape);
    let compiled = known.get(key);
    if (!compiled) {
      compiled = split(build(db, slotsOf<Values>(), shape).compile(db));
      known.set(key, compiled);
    }
    const { query, names } = compiled;
    const parameters = names.map((name, i) =>
      name === null ? query.parameters[i] : (values as Record<string, unknown>)[name],
    );
    return (await db.executeQuery<Row>({ ...query, parameters })).rows;
  };
}

interface Compiled<Row> {
  query: CompiledQuery<Row>;
  /** The slot of each parameter; null for a value of the query's own. */
  names: (string | null)[];
}

const SLOT = Symbol("slot");

const slotsOf = <Values>(): Slots<Values> =>
  new Proxy({} as Slots<Values>, { get: (_, name) => sql`${{ [SLOT]: name }}` });

function split<Row>(query: CompiledQuery<Row>): Compiled<Row> {
  const names = query.parameters.map((value) => (value as { [SLOT]?: string } | null)?.[SLOT] ?? null);
  return { query, names };
}
