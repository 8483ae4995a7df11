import { PostgresDialect } from "kysely";
import pg from "pg";

const INT8 = 20;
const NUMERIC = 1700;

/** bigint and numeric columns hold milliseconds, microseconds and counts: all below 2^53. */
const types: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: "text" | "binary") =>
    oid === INT8 || oid === NUMERIC ? Number : pg.types.getTypeParser(oid, format as "text")) as never,
};

/** A pool on `url`. Errors of idle connections are the next query's to report, so they end here. */
export function openPool(url: string): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    max: 10,
    connectionTimeoutMillis: 5_000,
    types,
    application_name: "vedette",
  });
  pool.on("error", () => {});
  return pool;
}

export const postgresDialect = (pool: pg.Pool) => new PostgresDialect({ pool });
