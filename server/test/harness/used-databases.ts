import { setTimeout as pause } from "node:timers/promises";
import { Kysely } from "kysely";
import type pg from "pg";
import { openPool, postgresDialect } from "../../src/platform/database/open.ts";
import { readHere } from "../../src/platform/database/reader.ts";
import type { Schema } from "../../src/platform/database/schema.ts";
import { inTransaction, type Store } from "../../src/platform/database/store.ts";

/** Dead rows slow a database down, so it is dropped after that many tests. */
const MOST_USES = 40;
/** A test that leaves something running for longer has used its database up. */
const REST_MS = 1_000;

/** A migrated PostgreSQL database whose tables are empty, with its connections. */
interface Database {
  pool: pg.Pool;
  uses: number;
  drop(): Promise<void>;
}

/**
 * Of this process, for its next test: to make and drop a database is a thousand files each, a connection to it a process
 * of the server; to empty one takes a few statements.
 */
const free: Database[] = [];
/** Of the tables of a database in which only rows were changed. */
let usualShape: string | undefined;

/** A store on an empty, migrated database that later tests of this process use again. `create` makes one where none is free. */
export async function openUsedStore(
  create: () => Promise<{ location: { url: string }; remove(): Promise<void> }>,
): Promise<Store> {
  const database = free.pop() ?? (await newDatabase(create));
  database.uses += 1;
  const { pool, close } = gateOf(database.pool);
  const db = new Kysely<Schema>({ dialect: postgresDialect(pool) });
  let closing: Promise<void> | undefined;
  const giveUp = async () => {
    close();
    if (database.uses < MOST_USES && (await isEmptied(database.pool))) free.push(database);
    else {
      await database.pool.end();
      await database.drop();
    }
  };
  return {
    engine: "postgres",
    db,
    pool,
    transaction: inTransaction(db),
    readInWorker: readHere(db),
    close: () => (closing ??= giveUp()),
  };
}

async function newDatabase(create: Parameters<typeof openUsedStore>[0]): Promise<Database> {
  const { location, remove } = await create();
  const pool = openPool(location.url);
  usualShape ??= await shapeOf(pool);
  return { pool, uses: 0, drop: remove };
}

/** The pool as one test has it: closed to it for good when its store is, as a pool that has ended. */
function gateOf(pool: pg.Pool): { pool: pg.Pool; close(): void } {
  let closed = false;
  const refuse = () => Promise.reject(new Error("Cannot use a pool after calling end on the pool"));
  const own = new Proxy(pool, {
    get(target, name) {
      if (closed && (name === "connect" || name === "query")) return refuse;
      if (name === "end") return async () => undefined;
      const value = Reflect.get(target, name, target);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
  return { pool: own, close: () => (closed = true) };
}

/** Whether all is as in a new database now, sequences included. Nobody else may be connected to it. */
async function isEmptied(pool: pg.Pool): Promise<boolean> {
  try {
    for (let waited = 0; pool.idleCount < pool.totalCount; waited += 5) {
      if (waited > REST_MS) return false;
      await pause(5);
    }
    if ((await shapeOf(pool)) !== usualShape) return false;
    await pool.query(EMPTY);
    const { rows } = await pool.query<{ others: number }>(OTHERS);
    return rows[0]?.others === pool.totalCount - 1;
  } catch {
    return false;
  }
}

async function shapeOf(pool: pg.Pool): Promise<string | undefined> {
  const { rows } = await pool.query<{ shape: string }>(SHAPE);
  return rows[0]?.shape;
}

const SHAPE = `select md5(string_agg(concat(relname, relkind, relnatts), ',' order by relname)) as shape
  from pg_class where relnamespace = 'public'::regnamespace`;

const OTHERS = `select count(*)::int as others from pg_stat_activity
  where datname = current_database() and backend_type = 'client backend' and pid <> pg_backend_pid()`;

/** Rows go in any order: no trigger runs, those of foreign keys neither. */
const EMPTY = `do $$
declare one record;
begin
  set local session_replication_role = replica;
  for one in select oid::regclass as name from pg_class
    where relnamespace = 'public'::regnamespace and relkind = 'r' and relname <> 'migrations' and pg_relation_size(oid) > 0
  loop execute 'delete from ' || one.name; end loop;
  for one in select format('%I.%I', schemaname, sequencename) as name from pg_sequences where last_value is not null
  loop perform setval(one.name::regclass, 1, false); end loop;
end $$`;
