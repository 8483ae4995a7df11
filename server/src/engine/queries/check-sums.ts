import { type RawBuilder, sql } from "kysely";
import type { Phases } from "../../checks/check.ts";
import { OUTCOMES } from "../../checks/outcome.ts";
import type { Db } from "../../platform/database/db.ts";
import { isPostgres } from "../../platform/database/dialect.ts";
import { type HistogramSums, sumHistograms } from "../../platform/database/histogram.ts";
import type { PeriodSeconds } from "../../platform/database/table.ts";
import { takeTurns } from "../../platform/turns.ts";
import { pointOf, type ReportPlan } from "../../reports/report-points.ts";
import type { DamagedPackError } from "../results/pack.ts";
import { bucketStart } from "../results/range.ts";
import type { StoredResult } from "../results/stored-result.ts";
import { eachPart } from "./results.ts";
import { type RollupRows, rowsAmong } from "./rollups.ts";

/** The passed checks of some monitors that were timed, and their durations together in microseconds. */
interface CheckSums {
  timed: number;
  sumUs: number;
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/**
 * What monitors add up to from the hour that `from` lies in until `now` (milliseconds), at most some
 * days later. Read from whole days, and at the beginning from the hours that the first day has before
 * that hour or from it on, whichever are fewer: at most fourteen rows a monitor for a day's sums, not 25.
 */
export async function sumChecks(
  db: Db,
  which: { monitorIds: readonly number[]; from: number; now: number },
): Promise<CheckSums> {
  const { monitorIds, now } = which;
  if (monitorIds.length === 0) return { timed: 0, sumUs: 0 };
  const from = bucketStart(which.from, 3600);
  const firstDay = bucketStart(from, 86_400);
  const sum = (periodSeconds: 3600 | 86_400, begin: number, end: number) =>
    sumRows(db, { periodSeconds, buckets: startsBetween(begin, end, periodSeconds * 1000), monitorIds });
  const [before, after] = [
    [firstDay, from],
    [from, firstDay + DAY_MS],
  ] as const;
  if (from - firstDay <= DAY_MS / 2) {
    const days = await sum(86_400, firstDay, now + 1);
    const early = await sum(3600, ...before);
    return { timed: days.timed - early.timed, sumUs: days.sumUs - early.sumUs };
  }
  const days = await sum(86_400, firstDay + DAY_MS, now + 1);
  const late = await sum(3600, ...after);
  return { timed: days.timed + late.timed, sumUs: days.sumUs + late.sumUs };
}

function startsBetween(begin: number, end: number, stepMs: number): number[] {
  return Array.from({ length: Math.max(0, Math.ceil((end - begin) / stepMs)) }, (_, i) => begin + i * stepMs);
}

async function sumRows(db: Db, wanted: RollupRows): Promise<CheckSums> {
  if (wanted.buckets.length === 0) return { timed: 0, sumUs: 0 };
  const { rows } = await sql<{ timed: number | null; sumUs: number | null }>`
    select sum(timed) as timed, sum(sum_us) as "sumUs" from ${rowsAmong(db, wanted)}`.execute(db);
  return { timed: Number(rows[0]?.timed ?? 0), sumUs: Number(rows[0]?.sumUs ?? 0) };
}

/** What the passed and timed checks of a bucket add up to, microseconds; null for a phase that none of them had. */
export interface PhaseSums extends Phases {
  /** How many they are: above 0. */
  timed: number;
  totalUs: number;
}

interface PhasesQuery {
  monitorId: number;
  /** Milliseconds, the start of a bucket; `to` is exclusive. */
  from: number;
  to: number;
  periodSeconds: PeriodSeconds;
  /** Called with packed hours that cannot be read and are left out. */
  onDamaged: (error: DamagedPackError) => void;
}

const { failed, probe_fault } = OUTCOMES;
/** More than a month of checks every second has. */
const MAX_RESULTS = 10_000_000;

/**
 * The phases of a monitor's checks by bucket (its start, milliseconds), all locations together, from the
 * results themselves: buckets older than the retention of results are absent.
 */
export async function sumPhases(db: Db, query: PhasesQuery): Promise<Map<number, PhaseSums>> {
  const { periodSeconds, ...range } = query;
  const sums = new Map<number, PhaseSums>();
  const giveWay = takeTurns();
  for await (const part of eachPart(db, { ...range, order: "asc", limit: MAX_RESULTS })) {
    for (const result of part) addResult(sums, result, periodSeconds);
    await giveWay();
  }
  return sums;
}

function addResult(sums: Map<number, PhaseSums>, result: StoredResult, periodSeconds: PeriodSeconds): void {
  const { outcome, totalUs } = result;
  // As the roll-ups count: a check that failed, or that the probe did not trust, has no response time.
  if (totalUs === null || outcome === failed.stored || outcome === probe_fault.stored) return;
  const at = bucketStart(result.scheduledAt, periodSeconds);
  const sum = sums.get(at);
  if (!sum) {
    const { dnsUs, connectUs, tlsUs, firstByteUs, transferUs } = result;
    sums.set(at, { timed: 1, dnsUs, connectUs, tlsUs, firstByteUs, transferUs, totalUs });
    return;
  }
  sum.timed += 1;
  sum.totalUs += totalUs;
  if (result.dnsUs !== null) sum.dnsUs = (sum.dnsUs ?? 0) + result.dnsUs;
  if (result.connectUs !== null) sum.connectUs = (sum.connectUs ?? 0) + result.connectUs;
  if (result.tlsUs !== null) sum.tlsUs = (sum.tlsUs ?? 0) + result.tlsUs;
  if (result.firstByteUs !== null) sum.firstByteUs = (sum.firstByteUs ?? 0) + result.firstByteUs;
  if (result.transferUs !== null) sum.transferUs = (sum.transferUs ?? 0) + result.transferUs;
}

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
