import { type RawBuilder, sql } from "kysely";
import { bucketStart, type PeriodSeconds } from "../../result/range.ts";
import { takeTurns } from "../../turns.ts";
import type { Db } from "../db.ts";
import { isPostgres } from "../dialect.ts";
import { type RollupRows, rowsAmong } from "./rollup-rows.ts";

/**
 * The passed checks of some monitors over a range, all locations together. A row is a monitor, as they
 * were asked for; the tables `timed` and `sumUs` have a column for each bucket, one row after another.
 */
export interface Latencies {
  /** The buckets' starts, oldest first, milliseconds. */
  bucketsAt: readonly number[];
  /** Passed checks that were timed; 0 where there is none. */
  timed: Float64Array;
  /** Microseconds, as are the smallest and the largest of each monitor: Infinity and 0 without any. */
  sumUs: Float64Array;
  minUs: Float64Array;
  maxUs: Float64Array;
}

/** Rows one query adds up: on SQLite nothing else happens while it does, so about 3 ms. */
const ROWS_A_QUERY = 10_000;

/**
 * The latencies of some monitors from `from` to before `to` (milliseconds; the bucket that `from` lies
 * in is the first one). No histogram is read. Tables of numbers, because as many objects or lists would
 * all be copied by the collector while they are being filled.
 */
export async function readLatencies(
  db: Db,
  query: { monitorIds: readonly number[]; from: number; to: number; periodSeconds: PeriodSeconds },
): Promise<Latencies> {
  const { monitorIds, periodSeconds } = query;
  const latencies = makeTables(query);
  const { bucketsAt } = latencies;
  const rowsOf = findRows(monitorIds);
  const columnOf = new Map(bucketsAt.map((at, column) => [at, column]));
  const bucketsAQuery = Math.max(1, Math.floor(ROWS_A_QUERY / monitorIds.length));
  const giveWay = takeTurns();
  for (let first = 0; first < bucketsAt.length; first += bucketsAQuery) {
    const buckets = bucketsAt.slice(first, first + bucketsAQuery);
    for (const bucket of await readBuckets(db, { periodSeconds, buckets, monitorIds })) {
      addBucket(latencies, bucket, columnOf.get(bucket.at) as number, rowsOf(bucket.ids));
    }
    await giveWay();
  }
  return latencies;
}

/** Gives the rows of the monitors in a list. Most buckets have the same list as the one before. */
function findRows(monitorIds: readonly number[]): (ids: string) => readonly number[] {
  const rowOf = new Map(monitorIds.map((id, row) => [id, row]));
  let known = "[]";
  let rows: number[] = [];
  return (ids) => {
    if (ids !== known) rows = numbers(ids).map((id) => rowOf.get(id) as number);
    known = ids;
    return rows;
  };
}

function makeTables({ monitorIds, from, to, periodSeconds }: Parameters<typeof readLatencies>[1]): Latencies {
  const periodMs = periodSeconds * 1000;
  const begin = bucketStart(from, periodSeconds);
  const rows = monitorIds.length;
  const columns = rows === 0 ? 0 : Math.max(0, Math.ceil((to - begin) / periodMs));
  return {
    bucketsAt: Array.from({ length: columns }, (_, i) => begin + i * periodMs),
    timed: new Float64Array(rows * columns),
    sumUs: new Float64Array(rows * columns),
    minUs: new Float64Array(rows).fill(Infinity),
    maxUs: new Float64Array(rows),
  };
}

/** The rows of a bucket as the engines write them: in columns, each a text of JSON, in the same order. */
interface Bucket {
  at: number;
  ids: string;
  timed: string;
  sumsUs: string;
  leastUs: string;
  mostUs: string;
}

/** Of the ways to fetch this many rows from SQLite, the cheapest: texts. Columns are read twice as fast as rows. */
async function readBuckets(db: Db, wanted: RollupRows): Promise<Bucket[]> {
  const list = (column: RawBuilder<unknown>) =>
    isPostgres(db) ? sql`json_agg(${column})::text` : sql`json_group_array(${column})`;
  const { rows } = await sql<Bucket>`
    select bucket_at as at, ${list(sql`monitor_id`)} as ids, ${list(sql`timed`)} as timed,
      ${list(sql`sum_us`)} as "sumsUs", ${list(sql`min_us`)} as "leastUs", ${list(sql`max_us`)} as "mostUs"
    from ${rowsAmong(db, wanted)}
    where timed > 0
    group by bucket_at`.execute(db);
  return rows;
}

function addBucket(to: Latencies, bucket: Bucket, column: number, rows: readonly number[]): void {
  const columns = to.bucketsAt.length;
  const timed = numbers(bucket.timed);
  const sumsUs = numbers(bucket.sumsUs);
  const leastUs = numbers(bucket.leastUs);
  const mostUs = numbers(bucket.mostUs);
  for (let i = 0; i < rows.length; i += 1) {
    const row = rows[i] as number;
    const cell = row * columns + column;
    // One row a location.
    to.timed[cell] = (to.timed[cell] as number) + (timed[i] as number);
    to.sumUs[cell] = (to.sumUs[cell] as number) + (sumsUs[i] as number);
    to.minUs[row] = Math.min(to.minUs[row] as number, leastUs[i] as number);
    to.maxUs[row] = Math.max(to.maxUs[row] as number, mostUs[i] as number);
  }
}

const numbers = (text: string): number[] => JSON.parse(text) as number[];
