import { type RawBuilder, type SqlBool, sql } from "kysely";
import { OUTCOMES } from "../../checks/outcome.ts";
import {
  conflict,
  type HotTable,
  insertMany,
  sendArrays,
  type Tuple,
  writeTuples,
} from "../../platform/database/bulk.ts";
import { compactHistogram, encodeHistogram } from "../../platform/database/histogram.ts";
import type { Db } from "../../platform/database/schema.ts";
import { among, isPostgres } from "../../platform/database/sql.ts";
import type { PeriodSeconds } from "../../platform/database/table.ts";
import type { RollupTable } from "../../platform/database/tables/results.ts";
import { takeTurns } from "../../platform/turns.ts";
import { bucketStart } from "../results/precision.ts";
import type { StoredResult } from "../results/stored-result.ts";

/** What checks add up to. */
interface RollupStats {
  /** Checks that reached a verdict, those of them that failed, and those that passed and were timed. */
  checks: number;
  failures: number;
  timed: number;
  /** Latency of the timed checks, microseconds: sum, smallest, largest. */
  sumUs: number;
  minUs: number | null;
  maxUs: number | null;
}

const NO_STATS: RollupStats = { checks: 0, failures: 0, timed: 0, sumUs: 0, minUs: null, maxUs: null };

/** Adds the second one's sums to the first. */
function addStats(to: RollupStats, more: RollupStats): void {
  to.checks += more.checks;
  to.failures += more.failures;
  to.timed += more.timed;
  to.sumUs += more.sumUs;
  if (more.minUs !== null) to.minUs = Math.min(to.minUs ?? more.minUs, more.minUs);
  if (more.maxUs !== null) to.maxUs = Math.max(to.maxUs ?? more.maxUs, more.maxUs);
}

/** What some results add to one row of the roll-ups. Times in milliseconds. */
interface RollupSum extends RollupStats {
  periodSeconds: PeriodSeconds;
  bucketAt: number;
  monitorId: number;
  locationId: number;
  /** Parts of platform/database/histogram.ts, which merge by being joined. */
  histogram: Uint8Array;
}

/** Sums by monitor; one has a handful at most. */
type SumsByMonitor<S extends RollupSum> = Map<number, S[]>;
type Timed = RollupSum & { latenciesUs: number[] };

const { failed, probe_fault } = OUTCOMES;
const SHORTEST = 300;
const LONGER: readonly PeriodSeconds[] = [3600, 86_400];
const NO_BYTES = new Uint8Array();

/**
 * The sums of results over 5 minutes, an hour and a day. The longer ones are added up from the shorter
 * ones: most batches lie in one bucket of each, and then nothing is computed twice.
 */
function sumUp(results: readonly StoredResult[]): RollupSum[] {
  let sums = sumShortest(results);
  const all = [...sums];
  for (const period of LONGER) {
    sums = widen(sums, period);
    for (const sum of sums) all.push(sum);
  }
  return all;
}

function sumShortest(results: readonly StoredResult[]): RollupSum[] {
  const sums: SumsByMonitor<Timed> = new Map();
  for (const result of results) {
    const bucketAt = bucketStart(result.scheduledAt, SHORTEST);
    const known = find(sums, bucketAt, result);
    addResult(known ?? add(sums, { ...emptySum(bucketAt, result), latenciesUs: [] }), result);
  }
  const found = inOrder(sums);
  for (const sum of found) sum.histogram = encodeHistogram(sum.latenciesUs);
  return found;
}

function widen(shorter: readonly RollupSum[], periodSeconds: PeriodSeconds): RollupSum[] {
  const sums: SumsByMonitor<RollupSum> = new Map();
  for (const sum of shorter) {
    const bucketAt = bucketStart(sum.bucketAt, periodSeconds);
    const known = find(sums, bucketAt, sum);
    if (known) addSum(known, sum);
    else add(sums, { ...sum, periodSeconds, bucketAt });
  }
  return inOrder(sums);
}

function find<S extends RollupSum>(
  sums: SumsByMonitor<S>,
  bucketAt: number,
  { monitorId, locationId }: { monitorId: number; locationId: number },
): S | undefined {
  return sums.get(monitorId)?.find((sum) => sum.bucketAt === bucketAt && sum.locationId === locationId);
}

function add<S extends RollupSum>(sums: SumsByMonitor<S>, sum: S): S {
  const own = sums.get(sum.monitorId);
  if (own) own.push(sum);
  else sums.set(sum.monitorId, [sum]);
  return sum;
}

/** The same order in every transaction, so that two cannot wait for each other in a circle. */
const inOrder = <S extends RollupSum>(sums: SumsByMonitor<S>): S[] =>
  [...sums.values()]
    .flat()
    .sort((a, b) => a.bucketAt - b.bucketAt || a.monitorId - b.monitorId || a.locationId - b.locationId);

const emptySum = (bucketAt: number, { monitorId, locationId }: StoredResult): RollupSum => ({
  periodSeconds: SHORTEST,
  bucketAt,
  monitorId,
  locationId,
  ...NO_STATS,
  histogram: NO_BYTES,
});

/** A probe's own fault leaves a row behind (the location was at work) but counts as no check. */
function addResult(sum: Timed, { outcome, totalUs }: StoredResult): void {
  if (outcome === probe_fault.stored) return;
  sum.checks += 1;
  if (outcome === failed.stored) sum.failures += 1;
  else if (totalUs !== null) {
    sum.timed += 1;
    sum.sumUs += totalUs;
    sum.minUs = Math.min(sum.minUs ?? totalUs, totalUs);
    sum.maxUs = Math.max(sum.maxUs ?? totalUs, totalUs);
    sum.latenciesUs.push(totalUs);
  }
}

function addSum(sum: RollupSum, more: RollupSum): void {
  addStats(sum, more);
  sum.histogram = Buffer.concat([sum.histogram, more.histogram]);
}

const ROLLUPS: HotTable = {
  name: "rollups",
  columns: {
    period_seconds: "integer",
    bucket_at: "bigint",
    monitor_id: "bigint",
    location_id: "bigint",
    checks: "integer",
    failures: "integer",
    timed: "integer",
    sum_us: "bigint",
    min_us: "bigint",
    max_us: "bigint",
    histogram: "bytea",
  },
  keys: ["period_seconds", "bucket_at", "monitor_id", "location_id"],
};
/** Latencies are appended, four bytes each. Beyond this it is worth making them compact. */
const LONG_HISTOGRAM_BYTES = { sqlite: 128, postgres: 512 };

/**
 * Adds results (new ones, as insertResults returns them) to their roll-ups of 5 minutes, an hour and a day, whenever those were.
 * Every row is changed by one statement that adds to what it finds, so two replicas may do this for the same monitor at once; the
 * pipeline locks the monitors' states before anyway.
 */
export async function addToRollups(trx: Db, results: readonly StoredResult[]): Promise<void> {
  const tuples = sumUp(results).map(toTuple);
  if (!isPostgres(trx)) return writeTuples(trx, ROLLUPS, tuples, ON_SQLITE);
  const long = await sendArrays(trx, ROLLUPS, tuples, addingOnPostgres);
  const compact = (long as unknown as RollupTable[]).map((row) => ({
    ...row,
    histogram: compactHistogram([row.histogram]),
  }));
  await insertMany(trx, "rollups", compact, { keys: [...ROLLUPS.keys], update: ["histogram"] });
}

const toTuple = (sum: RollupSum): Tuple => [
  sum.periodSeconds,
  sum.bucketAt,
  sum.monitorId,
  sum.locationId,
  sum.checks,
  sum.failures,
  sum.timed,
  sum.sumUs,
  sum.minUs,
  sum.maxUs,
  sum.histogram,
];

const added = (column: string) => [column, `rollups.${column} + excluded.${column}`];
const ADDED = Object.fromEntries(["checks", "failures", "timed", "sum_us"].map(added));
/** SQLite's two-argument min and max give null when one is null; PostgreSQL's least and greatest do not. */
const either = (call: string, column: string) =>
  `coalesce(${call}(rollups.${column}, excluded.${column}), rollups.${column}, excluded.${column})`;
/** SQLite joins bytes as it joins text, and then calls them text. */
const ON_SQLITE = {
  ...ADDED,
  min_us: either("min", "min_us"),
  max_us: either("max", "max_us"),
  histogram: `case when length(rollups.histogram) < ${LONG_HISTOGRAM_BYTES.sqlite}
    then cast(rollups.histogram || excluded.histogram as blob)
    else merge_histograms(rollups.histogram, excluded.histogram) end`,
};
const ON_POSTGRES = {
  ...ADDED,
  min_us: either("least", "min_us"),
  max_us: either("greatest", "max_us"),
  histogram: "rollups.histogram || excluded.histogram",
};

/** Gives the rows whose histograms many appendings have made long; the transaction holds their locks. */
const addingOnPostgres = (insert: string) => `with written as (
    ${insert}${conflict({ keys: [...ROLLUPS.keys], update: ON_POSTGRES })} returning *
  ) select * from written where octet_length(histogram) > ${LONG_HISTOGRAM_BYTES.postgres}`;

export interface RollupPoint extends RollupStats {
  /** Set when grouped by monitor. */
  monitorId?: number;
  /** Set when grouped by location. */
  locationId?: number;
  /** Start of the bucket, milliseconds; set when grouped by bucket. */
  bucketAt?: number;
  /**
   * Parts for platform/database/histogram.ts `percentiles`, which decodes them on demand. Points merge by joining
   * these. Empty unless the query wants histograms.
   */
  histogram: Uint8Array[];
}

interface RollupsQuery {
  monitorIds: readonly number[];
  /** Milliseconds; the bucket that `from` lies in is the first one. */
  from: number;
  /** Milliseconds, exclusive. */
  to: number;
  periodSeconds: PeriodSeconds;
  groupBy: "bucket" | "monitor" | "monitor_bucket" | "location_bucket";
  /** Whether percentiles are wanted: histograms are most of what there is to read. */
  histograms?: boolean;
}

/** Rows one query fetches: on SQLite nothing else happens while it does, so about 10 ms. */
const ROWS_A_QUERY = 5_000;

/** Sums over roll-ups, by monitor and location where wanted, then by time. Groups without a check are absent. */
export async function readRollups(db: Db, query: RollupsQuery): Promise<RollupPoint[]> {
  const { monitorIds, periodSeconds } = query;
  const periodMs = periodSeconds * 1000;
  const bucketsAQuery = Math.max(1, Math.floor(ROWS_A_QUERY / Math.max(1, monitorIds.length)));
  const points = new Map<string, RollupPoint>();
  const giveWay = takeTurns();
  for (let at = bucketStart(query.from, periodSeconds); at < query.to; at += bucketsAQuery * periodMs) {
    const count = Math.min(bucketsAQuery, Math.ceil((query.to - at) / periodMs));
    const buckets = Array.from({ length: count }, (_, i) => at + i * periodMs);
    for (const row of await sumRows(db, query, buckets)) {
      const group = groupOf(row);
      const key = Object.values(group).join(" ");
      let point = points.get(key);
      if (!point) points.set(key, (point = { ...group, ...NO_STATS, histogram: [] }));
      addStats(point, row);
      if (row.histogram && row.histogram.length > 0) point.histogram.push(row.histogram);
    }
    await giveWay();
  }
  return [...points.values()].sort(
    (a, b) =>
      (a.monitorId ?? 0) - (b.monitorId ?? 0) ||
      (a.locationId ?? 0) - (b.locationId ?? 0) ||
      (a.bucketAt ?? 0) - (b.bucketAt ?? 0),
  );
}

/** The columns that it is grouped by are there. */
type Sums = RollupStats &
  Partial<Pick<RollupTable, "monitor_id" | "location_id" | "bucket_at">> & { histogram?: Uint8Array };

const GROUP_COLUMNS = {
  bucket: ["bucket_at"],
  monitor: ["monitor_id"],
  monitor_bucket: ["monitor_id", "bucket_at"],
  location_bucket: ["location_id", "bucket_at"],
} as const satisfies Record<RollupsQuery["groupBy"], readonly string[]>;

/** Both lists are literals, so that each pair is one step in the index whatever else lies between. */
async function sumRows(db: Db, query: RollupsQuery, buckets: number[]): Promise<Sums[]> {
  const columns = sql.join(GROUP_COLUMNS[query.groupBy].map((column) => sql.ref(column)));
  const joined = isPostgres(db) ? sql`string_agg(histogram, ''::bytea)` : sql`join_histograms(histogram)`;
  const histogram = query.histograms ? sql`, ${joined} as histogram` : sql``;
  const { rows } = await sql<Sums>`
    select ${columns}, sum(checks) as checks, sum(failures) as failures, sum(timed) as timed,
      sum(sum_us) as "sumUs", min(min_us) as "minUs", max(max_us) as "maxUs"${histogram}
    from rollups
    where period_seconds = ${query.periodSeconds} and checks > 0
      and ${among(db, "bucket_at", buckets)} and ${among(db, "monitor_id", query.monitorIds)}
    group by ${columns}`.execute(db);
  return rows;
}

function groupOf(row: Sums): Partial<RollupPoint> {
  const group: Partial<RollupPoint> = {};
  if (row.monitor_id !== undefined) group.monitorId = row.monitor_id;
  if (row.location_id !== undefined) group.locationId = row.location_id;
  if (row.bucket_at !== undefined) group.bucketAt = row.bucket_at;
  return group;
}

/** Which rows of the roll-ups: of one length, those that begin at these times (milliseconds), of these monitors. */
export interface RollupRows {
  periodSeconds: PeriodSeconds;
  buckets: readonly number[];
  monitorIds: readonly number[];
}

/**
 * These rows, to be selected from, under the table's own name, whatever lies between. Monitors whose numbers are close together
 * (an organization's on an installation of its own) are walked through; others are looked up one by one.
 */
export function rowsAmong(db: Db, wanted: RollupRows): RawBuilder<unknown> {
  const { periodSeconds, buckets } = wanted;
  const ofLength = sql`select * from rollups where period_seconds = ${periodSeconds} and ${ofMonitors(db, wanted)}`;
  if (!isPostgres(db)) return sql`(${ofLength} and ${among(db, "bucket_at", buckets)}) as rollups`;
  // Bucket by bucket: left to itself, the planner reads all there is of the length. The offset binds it.
  return sql`unnest(${`{${buckets.join()}}`}::bigint[]) as bucket (start)
    cross join lateral (${ofLength} and bucket_at = bucket.start offset 0) as rollups`;
}

function ofMonitors(db: Db, { monitorIds }: RollupRows): RawBuilder<SqlBool> {
  const first = monitorIds.reduce((least, id) => Math.min(least, id), Infinity);
  const last = monitorIds.reduce((most, id) => Math.max(most, id), 0);
  if (last - first > 2 * monitorIds.length) return among(db, "monitor_id", monitorIds);
  const range = sql<SqlBool>`monitor_id between ${first} and ${last}`;
  if (last - first === monitorIds.length - 1) return range;
  if (isPostgres(db)) return sql`${range} and ${among(db, "monitor_id", monitorIds)}`;
  // The plus takes the list from the index: it only filters what is walked through.
  return sql`${range} and +monitor_id in (select value from json_each(${JSON.stringify(monitorIds)}))`;
}
