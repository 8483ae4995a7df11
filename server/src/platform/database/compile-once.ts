import { type CompiledQuery, type RawBuilder, sql } from "kysely";
import type { Db } from "./db.ts";
import { isPostgres } from "./dialect.ts";

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
