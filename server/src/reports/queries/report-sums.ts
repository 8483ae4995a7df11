import { type RawBuilder, sql } from "kysely";
import { type RollupRows, rowsAmong } from "../../engine/queries/rollups.ts";
import { type HistogramSums, sumHistograms } from "../../platform/database/histogram.ts";
import type { Db } from "../../platform/database/schema.ts";
import { isPostgres } from "../../platform/database/sql.ts";
import { takeTurns } from "../../platform/turns.ts";
import { pointOf, type ReportPlan } from "../report-points.ts";

/** Rows one query adds up: on SQLite nothing else happens while it does, so a few milliseconds. */
const ROWS_A_QUERY = 2_500;
const PERCENTAGES = [50, 95, 99] as const;

/** What checks came to: those with a verdict, those of them that failed, and the times of those that passed. */
export interface CheckStats {
  checks: number;
  failures: number;
  /** Passed checks that were timed, and their sum in microseconds. */
  timed: number;
  sumUs: number;
  /** Microseconds; null without any that was timed. */
  p50Us: number | null;
  p95Us: number | null;
  p99Us: number | null;
}

/** Adds the checks of a report up, some monitors after the others, in tables that do not grow with their number. */
export interface ReportSums {
  /** Reads the roll-ups of monitors, at most as many as was said; gives what each comes to, in their order. */
  read(db: Db, monitorIds: readonly number[]): Promise<CheckStats[]>;
  /** What all that have been read come to, point by point. */
  points(): CheckStats[];
  total(): CheckStats;
}

/** Four sums a row: checks, failures, timed, microseconds. */
const COLUMNS = 4;

/** Sums of nothing yet, for at most `monitorsAtOnce` at a time. */
export function sumReportChecks(plan: ReportPlan, monitorsAtOnce: number): ReportSums {
  const points = plan.points.length;
  const rows = points + monitorsAtOnce;
  const tables: Tables = {
    sums: new Float64Array(rows * COLUMNS),
    histograms: sumHistograms(rows),
    bytes: Buffer.alloc(0),
  };
  const statsOf = (from: number, to = from + 1) => statsIn(tables, { from, to });
  return {
    async read(db, monitorIds) {
      tables.sums.fill(0, points * COLUMNS);
      tables.histograms.clear(points);
      const rowOf = new Map(monitorIds.map((id, row) => [id, points + row]));
      const giveWay = takeTurns();
      for (const { periodSeconds, buckets } of plan.reads) {
        const atOnce = Math.max(1, Math.floor(ROWS_A_QUERY / monitorIds.length));
        for (let first = 0; first < buckets.length; first += atOnce) {
          const some = { periodSeconds, buckets: buckets.slice(first, first + atOnce), monitorIds };
          for (const bucket of await readBuckets(db, some)) {
            addBucket(tables, bucket, pointOf(plan, bucket.at), rowOf);
          }
          await giveWay();
        }
      }
      return monitorIds.map((_, row) => statsOf(points + row));
    },
    points: () => plan.points.map((_, point) => statsOf(point)),
    total: () => statsOf(0, points),
  };
}

interface Tables {
  sums: Float64Array;
  histograms: HistogramSums;
  /** A bucket's histograms, as bytes. One for all of them: as many buffers would wait for the collector together. */
  bytes: Buffer;
}

function statsIn(
  { sums, histograms }: Pick<Tables, "sums" | "histograms">,
  rows: { from: number; to: number },
): CheckStats {
  const [checks = 0, failures = 0, timed = 0, sumUs = 0] = Array.from({ length: COLUMNS }, (_, column) => {
    let sum = 0;
    for (let row = rows.from; row < rows.to; row += 1) sum += sums[row * COLUMNS + column] as number;
    return sum;
  });
  const [p50Us = null, p95Us = null, p99Us = null] = histograms.percentiles(rows, PERCENTAGES);
  return { checks, failures, timed, sumUs, p50Us, p95Us, p99Us };
}

/** The rows of a bucket in columns, each a text of JSON, in the same order: the cheapest way to fetch many (transitions.ts). */
interface Bucket {
  at: number;
  ids: string;
  checks: string;
  failures: string;
  timed: string;
  sumsUs: string;
  /** Of each histogram, bytes; all of them one after the other, hexadecimal. */
  lengths: string;
  histograms: string | null;
}

async function readBuckets(db: Db, wanted: RollupRows): Promise<Bucket[]> {
  const pg = isPostgres(db);
  const list = (column: RawBuilder<unknown>) =>
    pg ? sql`json_agg(${column})::text` : sql`json_group_array(${column})`;
  const joined = pg ? sql`string_agg(encode(histogram, 'hex'), '')` : sql`group_concat(hex(histogram), '')`;
  const { rows } = await sql<Bucket>`
    select bucket_at as at, ${list(sql`monitor_id`)} as ids, ${list(sql`checks`)} as checks,
      ${list(sql`failures`)} as failures, ${list(sql`timed`)} as timed, ${list(sql`sum_us`)} as "sumsUs",
      ${list(sql`length(histogram)`)} as lengths, ${joined} as histograms
    from ${rowsAmong(db, wanted)}
    where checks > 0
    group by bucket_at`.execute(db);
  return rows;
}

function decode(tables: Tables, hexadecimal: string): Buffer {
  if (tables.bytes.length < hexadecimal.length / 2) tables.bytes = Buffer.alloc(hexadecimal.length);
  tables.bytes.write(hexadecimal, "hex");
  return tables.bytes;
}

function addBucket(tables: Tables, bucket: Bucket, point: number, rowOf: ReadonlyMap<number, number>): void {
  const { sums, histograms } = tables;
  const columns = [bucket.checks, bucket.failures, bucket.timed, bucket.sumsUs].map(numbers);
  const lengths = numbers(bucket.lengths);
  const bytes = decode(tables, bucket.histograms ?? "");
  let at = 0;
  for (const [i, id] of numbers(bucket.ids).entries()) {
    const row = rowOf.get(id) as number;
    for (const [column, values] of columns.entries()) {
      for (const to of [row, point]) {
        sums[to * COLUMNS + column] = (sums[to * COLUMNS + column] as number) + (values[i] as number);
      }
    }
    const end = at + (lengths[i] as number);
    if (end > at) histograms.add(bytes.subarray(at, end), row, point);
    at = end;
  }
}

const numbers = (text: string): number[] => JSON.parse(text) as number[];
