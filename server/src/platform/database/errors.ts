/** What the drivers put on their errors: SQLite a result code, PostgreSQL an SQLSTATE, sockets an errno. */
interface DriverError {
  code?: unknown;
  errcode?: unknown;
  message?: unknown;
  cause?: unknown;
}

const SQLITE_CORRUPT = 11;
const SQLITE_NOT_A_DATABASE = 26;
/** Primary result codes: BUSY, LOCKED, READONLY, IOERR, CORRUPT, FULL, CANTOPEN, NOTADB. */
const SQLITE_UNAVAILABLE = new Set([5, 6, 8, 10, SQLITE_CORRUPT, 13, 14, SQLITE_NOT_A_DATABASE]);

/**
 * Connection exceptions (08), insufficient resources (53), shutdown and recovery (57P), read-only standby
 * (25006), lost races (40001, 40P01), timeouts (57014, 55P03, 25P03).
 */
const POSTGRES_UNAVAILABLE = /^(08|53|57P|25006|40001|40P01|57014|55P03|25P03)/;
const SOCKET_UNAVAILABLE =
  /^(ECONNREFUSED|ECONNRESET|ETIMEDOUT|EPIPE|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH)$/;
/** pg reports these without a code. */
const POOL_MESSAGES =
  /timeout exceeded when trying to connect|Connection terminated|Client has encountered a connection error|Query read timeout/;

/** The API answers 503: nothing was wrong with the query. */
export function isUnavailable(error: unknown): boolean {
  if (typeof error !== "object" || error === null) return false;
  const { code, errcode, message, cause } = error as DriverError;
  if (code === "ERR_SQLITE_ERROR") return SQLITE_UNAVAILABLE.has(Number(errcode) & 0xff);
  if (typeof code === "string" && (POSTGRES_UNAVAILABLE.test(code) || SOCKET_UNAVAILABLE.test(code)))
    return true;
  if (typeof message === "string" && POOL_MESSAGES.test(message)) return true;
  // Several addresses of one name: Node collects what went wrong with each.
  if (error instanceof AggregateError) return error.errors.some(isUnavailable);
  return cause !== undefined && isUnavailable(cause);
}

/** A deadlock, an overtaken snapshot, or a name taken meanwhile: another run succeeds, or finds it taken. */
const LOST_RACE = new Set(["40P01", "40001", "23505"]);

/** Whether the transaction may be run again. Never on SQLite: it takes the write lock at once (sqlite.ts). */
export function isLostRace(error: unknown): boolean {
  if (typeof error !== "object" || error === null) return false;
  return LOST_RACE.has(String((error as DriverError).code));
}

export function isNotADatabase(error: unknown): boolean {
  return resultCode(error) === SQLITE_NOT_A_DATABASE;
}

/** Bytes of the database file are missing or are not what SQLite wrote. */
export function isDamaged(error: unknown): boolean {
  return resultCode(error) === SQLITE_CORRUPT;
}

/** Null for an error that neither is one of SQLite's nor was caused by one. */
function resultCode(error: unknown): number | null {
  const { code, errcode, cause } = (error ?? {}) as DriverError;
  if (code === "ERR_SQLITE_ERROR") return Number(errcode) & 0xff;
  return cause === undefined ? null : resultCode(cause);
}
