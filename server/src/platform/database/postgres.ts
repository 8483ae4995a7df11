import type { Socket } from "node:net";
import { PostgresDialect } from "kysely";
import pg from "pg";

const INT8 = 20;
const NUMERIC = 1700;
/** No query of the server takes this long; one that does is cut off and answered with 503. */
const STATEMENT_TIMEOUT_MS = 30_000;
/** A process that stops in the middle of a transaction must not hold its locks for ever. */
const IDLE_TRANSACTION_TIMEOUT_MS = 30_000;

/** After the statement timeout the server has this long to say so; one that does not is frozen or out of reach. */
const SILENCE_GRACE_MS = 5_000;

/** bigint and numeric columns hold milliseconds, microseconds and counts: all below 2^53. */
const types: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: "text" | "binary") =>
    oid === INT8 || oid === NUMERIC ? Number : pg.types.getTypeParser(oid, format as "text")) as never,
};

/** A broken connection shows in its query; its `error` event needs a listener or it ends the process. */
export function openPool(url: string): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    max: 10,
    connectionTimeoutMillis: 5_000,
    statement_timeout: STATEMENT_TIMEOUT_MS,
    idle_in_transaction_session_timeout: IDLE_TRANSACTION_TIMEOUT_MS,
    keepAlive: true,
    types,
    application_name: "vedette",
  });
  pool.on("error", () => {});
  pool.on("connect", (client) => {
    client.on("error", () => {});
    endWhenSilent(client);
  });
  return pool;
}

/** What pg keeps on a client beside its published types. */
interface ClientInside {
  connection: { stream: Socket };
  /** False while a query is under way. */
  readyForQuery: boolean;
  connectionParameters: { statement_timeout: number | string };
}

/** A server that hangs ends no query by itself: without this the caller would wait for hours. */
function endWhenSilent(client: pg.PoolClient): void {
  const inside = client as unknown as ClientInside;
  const { stream } = inside.connection;
  // `?statement_timeout=` in the address goes before ours.
  stream.setTimeout(Number(inside.connectionParameters.statement_timeout) + SILENCE_GRACE_MS);
  stream.on("timeout", () => {
    if (inside.readyForQuery) return;
    stream.destroy(new Error("Connection terminated: PostgreSQL does not answer"));
  });
}

export const postgresDialect = (pool: pg.Pool) => new PostgresDialect({ pool });
