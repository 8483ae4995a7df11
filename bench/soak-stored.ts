import { DatabaseSync } from "node:sqlite";
import { connectTo } from "../server/test/harness/postgres.ts";

/** Where the soak's server keeps its data. */
export type SoakDatabase = { file: string } | { url: string };

export interface StoredRow {
  at: number;
  outcome: number;
}

export interface TransitionRow {
  monitorId: number;
  toStatus: string;
  at: number;
  detectedAt: number;
  reason: string | null;
}

/** What the database holds at the end, read with SQL of the soak's own. Times are milliseconds since 1970. */
export interface Stored {
  /** Results of each monitor, oldest first. */
  results: Map<number, StoredRow[]>;
  /** Checks that the roll-ups of five minutes count, of each monitor. */
  rolledUp: Map<number, number>;
  /** Oldest first. */
  transitions: TransitionRow[];
}

type Row = Record<string, unknown>;
interface Reader {
  all(sql: string): Promise<Row[]>;
  close(): unknown;
}

/** Reads what was stored since then. */
export async function readStored(database: SoakDatabase, sinceMs: number): Promise<Stored> {
  const reader = "url" in database ? await onPostgres(database.url) : onSqlite(database.file);
  try {
    const results = await reader.all(
      `select monitor_id, scheduled_at, outcome from results
       where scheduled_at >= ${Math.floor(sinceMs)} order by scheduled_at`,
    );
    const rollups = await reader.all(
      "select monitor_id, sum(checks) as checks from rollups where period_seconds = 300 group by monitor_id",
    );
    const transitions = await reader.all(
      "select monitor_id, to_status, at, detected_at, reason from transitions order by at, id",
    );
    return {
      results: byMonitor(results),
      rolledUp: new Map(rollups.map((row) => [Number(row["monitor_id"]), Number(row["checks"])])),
      transitions: transitions.map(transitionOf),
    };
  } finally {
    await reader.close();
  }
}

function onSqlite(file: string): Reader {
  const database = new DatabaseSync(file, { readOnly: true });
  return { all: async (sql) => database.prepare(sql).all(), close: () => database.close() };
}

async function onPostgres(url: string): Promise<Reader> {
  const client = await connectTo(url);
  return { all: async (sql) => (await client.query<Row>(sql)).rows, close: () => client.end() };
}

/** PostgreSQL's driver gives 64-bit numbers as text. */
function byMonitor(rows: readonly Row[]): Map<number, StoredRow[]> {
  const found = new Map<number, StoredRow[]>();
  for (const row of rows) {
    const monitorId = Number(row["monitor_id"]);
    const own = found.get(monitorId) ?? [];
    own.push({ at: Number(row["scheduled_at"]), outcome: Number(row["outcome"]) });
    found.set(monitorId, own);
  }
  return found;
}

function transitionOf(row: Row): TransitionRow {
  return {
    monitorId: Number(row["monitor_id"]),
    toStatus: String(row["to_status"]),
    at: Number(row["at"]),
    detectedAt: Number(row["detected_at"]),
    reason: row["reason"] as string | null,
  };
}
