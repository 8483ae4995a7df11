import { setImmediate } from "node:timers/promises";
import { sql } from "kysely";
import { bucketStart, type PeriodSeconds } from "../../result/range.ts";
import { isPostgres } from "../dialect.ts";
import type { Db } from "../open.ts";
import { type RollupRows, rowsAmong } from "./rollup-rows.ts";

/**
 * The passed checks of one monitor over a range, all locations together, in columns: entry i of each
 * list is about the same bucket. Buckets in order of time, those without a passed check are absent.
 */
export interface LatencySeries {
  /** The buckets' starts, milliseconds. */
  at: number[];
  /** Passed checks that were timed: above 0. */
  timed: number[];
  /** Microseconds, as are the smallest and the largest of all. */
  sumUs: number[];
  minUs: number;
  maxUs: number;
}

/** Rows one query adds up: on SQLite nothing else happens while it does, so about 3 ms. */
const ROWS_A_QUERY = 10_000;

/**
 * The latencies of some monitors from `from` to before `to` (milliseconds; the bucket that `from` lies
 * in is the first one). Monitors without any are absent. No histogram is read.
 */
export async function readLatencies(
  db: Db,
  query: { monitorIds: readonly number[]; from: number; to: number; periodSeconds: PeriodSeconds },
): Promise<Map<number, LatencySeries>> {
  const { monitorIds, periodSeconds } = query;
  const series = new Map<number, LatencySeries>();
  if (monitorIds.length === 0) return series;
  const periodMs = periodSeconds * 1000;
  const bucketsAQuery = Math.max(1, Math.floor(ROWS_A_QUERY / monitorIds.length));
  for (let at = bucketStart(query.from, periodSeconds); at < query.to; at += bucketsAQuery * periodMs) {
    const count = Math.min(bucketsAQuery, Math.ceil((query.to - at) / periodMs));
    const buckets = Array.from({ length: count }, (_, i) => at + i * periodMs);
    for (const bucket of await readBuckets(db, { periodSeconds, buckets, monitorIds })) {
      for (const row of JSON.parse(bucket.rows) as Row[]) addRow(series, bucket.at, row);
    }
    await setImmediate();
  }
  return series;
}

/** A row as the engines write it into the text of its bucket. */
type Row = [monitorId: number, timed: number, sumUs: number, minUs: number, maxUs: number];

/** Of the ways to fetch this many rows from SQLite, a text of JSON a bucket is the cheapest: half of a row each. */
async function readBuckets(db: Db, wanted: RollupRows): Promise<{ at: number; rows: string }[]> {
  const columns = sql`monitor_id, timed, sum_us, min_us, max_us`;
  const list = isPostgres(db)
    ? sql`json_agg(json_build_array(${columns}))::text`
    : sql`json_group_array(json_array(${columns}))`;
  const { rows } = await sql<{ at: number; rows: string }>`
    select bucket_at as at, ${list} as rows from ${rowsAmong(db, wanted)}
    where timed > 0
    group by bucket_at order by bucket_at`.execute(db);
  return rows;
}

function addRow(series: Map<number, LatencySeries>, at: number, row: Row): void {
  const [monitorId, timed, sumUs, minUs, maxUs] = row;
  const own = series.get(monitorId);
  if (!own) {
    series.set(monitorId, { at: [at], timed: [timed], sumUs: [sumUs], minUs, maxUs });
    return;
  }
  const last = own.at.length - 1;
  if (own.at[last] === at) {
    own.timed[last] = (own.timed[last] as number) + timed;
    own.sumUs[last] = (own.sumUs[last] as number) + sumUs;
  } else {
    own.at.push(at);
    own.timed.push(timed);
    own.sumUs.push(sumUs);
  }
  own.minUs = Math.min(own.minUs, minUs);
  own.maxUs = Math.max(own.maxUs, maxUs);
}
