import { DatabaseSync, type StatementSync } from "node:sqlite";
import { SqliteDialect } from "kysely";

const STATEMENT_CACHE_SIZE = 400;
const PRAGMAS = [
  "PRAGMA journal_mode = WAL",
  "PRAGMA synchronous = NORMAL",
  "PRAGMA foreign_keys = ON",
  "PRAGMA busy_timeout = 5000",
  "PRAGMA temp_store = MEMORY",
  "PRAGMA cache_size = -32768",
  "PRAGMA journal_size_limit = 67108864",
];

/** Opens the database file with the settings every connection of Vedette uses. */
export function openDatabase(file: string): DatabaseSync {
  const database = new DatabaseSync(file);
  for (const pragma of PRAGMAS) database.exec(pragma);
  return database;
}

/** Kysely's SQLite dialect over node:sqlite, keeping the compiled statement of each query. */
export function sqliteDialect(database: DatabaseSync): SqliteDialect {
  const cache = new Map<string, ReturnType<typeof wrap>>();
  return new SqliteDialect({
    database: {
      close: () => database.close(),
      prepare(sql) {
        const known = cache.get(sql);
        if (known) return known;
        const statement = wrap(database.prepare(sql));
        if (cache.size >= STATEMENT_CACHE_SIZE) cache.delete(cache.keys().next().value as string);
        cache.set(sql, statement);
        return statement;
      },
    },
  });
}

function wrap(statement: StatementSync) {
  return {
    reader: statement.columns().length > 0,
    all: (parameters: readonly unknown[]) => statement.all(...(parameters as never[])),
    run: (parameters: readonly unknown[]) => statement.run(...(parameters as never[])),
    iterate: (parameters: readonly unknown[]) => statement.iterate(...(parameters as never[])),
  };
}
