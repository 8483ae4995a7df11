import type { Phases } from "../checks/check.ts";
import { type PhaseSums, sumPhases } from "../engine/queries/check-sums.ts";
import { type RollupPoint, readRollups } from "../engine/queries/rollups.ts";
import { type Latencies, readLatencies, statusHistory } from "../engine/queries/transitions.ts";
import { reportDamage } from "../engine/results/pack-results.ts";
import { bucketStart, type RangeName, resolveRange } from "../engine/results/precision.ts";
import { timeByStatus } from "../engine/status/uptime.ts";
import { percentiles } from "../platform/database/histogram.ts";
import type { Running } from "../platform/operations/operation.ts";
import { type OfKind, STATS_WINDOW_MS } from "./monitor.ts";
import { countMonitors, listNewestMonitors } from "./queries/monitor-list.ts";
import { MONITOR_SUMMARY, type MonitorSummary } from "./queries/monitor-names.ts";
import type { Monitor } from "./queries/monitors.ts";

/** Means of the last 24 hours. */
export type MonitorStats = MonitorSummary;

/** How the monitors of a kind of the caller's organization are doing, as a whole. */
export async function monitorStats(ctx: Running, { kind }: OfKind): Promise<MonitorStats> {
  const { organizationId } = ctx.caller;
  const to = ctx.clock.now();
  const from = to - STATS_WINDOW_MS;
  return ctx.readInWorker(MONITOR_SUMMARY, { organizationId, kind, from, to });
}

const DAY_SECONDS = 86_400;
const DAY_MS = DAY_SECONDS * 1000;

/** One day, UTC, of a monitor; today ends now. */
export interface MonitorDay {
  /** The day's start, milliseconds. */
  at: number;
  /** Time-weighted, 0…100; null where nothing was known. */
  uptime: number | null;
  /** Confirmed downtime outside maintenance. */
  downMs: number;
  /** Checks that reached a verdict, and those of them that failed. */
  checks: number;
  failures: number;
  /** Mean of the passed checks, microseconds; null without any. */
  averageUs: number | null;
}

/** A monitor day by day, oldest first, today last: exactly `days` of them. */
export async function monitorDays(
  ctx: Running,
  { id }: { id: number },
  input: { days: number },
): Promise<MonitorDay[]> {
  const { db } = ctx;
  const now = ctx.clock.now();
  const from = bucketStart(now, DAY_SECONDS) - (input.days - 1) * DAY_MS;
  const history = (await statusHistory(db, [id], from, now)).get(id) ?? [];
  const buckets = await readRollups(db, {
    monitorIds: [id],
    from,
    to: now + 1,
    periodSeconds: DAY_SECONDS,
    groupBy: "bucket",
  });
  const sums = new Map(buckets.map((bucket) => [bucket.bucketAt, bucket]));
  return Array.from({ length: input.days }, (_, day) => {
    const at = from + day * DAY_MS;
    const { upMs, downMs } = timeByStatus(history, at, Math.min(at + DAY_MS, now));
    const known = upMs + downMs;
    return { at, uptime: known > 0 ? (100 * upMs) / known : null, downMs, ...checksOf(sums.get(at)) };
  });
}

const checksOf = (sum: RollupPoint | undefined) => ({
  checks: sum?.checks ?? 0,
  failures: sum?.failures ?? 0,
  averageUs: sum && sum.timed > 0 ? sum.sumUs / sum.timed : null,
});

/**
 * Means over the passed checks of a time range: null where there was none, and all but the total also where the results are
 * older than the plan keeps them.
 */
export interface PhasesPoint extends Phases {
  /** Its start, milliseconds. */
  at: number;
  /** Checks that reached a verdict, and those of them that failed. */
  checks: number;
  failures: number;
  /** What that share of the passed checks stayed below, microseconds; null also where it was not requested. */
  p95Us: number | null;
  p99Us: number | null;
}

const PERCENTAGES = [95, 99];

/**
 * What a monitor's response time was made of over a range, oldest first, in points as long as a trend's;
 * none where nothing was checked.
 */
export async function monitorPhases(
  ctx: Running,
  { id }: { id: number },
  input: { range: RangeName; percentiles: boolean },
): Promise<PhasesPoint[]> {
  const { db } = ctx;
  const { fromMs, toMs, periodSeconds } = resolveRange(input.range, ctx.clock.now());
  const which = { from: fromMs, to: toMs + 1, periodSeconds };
  const buckets = await readRollups(db, {
    ...which,
    monitorIds: [id],
    groupBy: "bucket",
    histograms: input.percentiles,
  });
  const phases = await sumPhases(db, { ...which, monitorId: id, onDamaged: reportDamage(ctx) });
  return buckets.map(({ bucketAt, checks, failures, timed, sumUs, histogram }) => {
    const at = bucketAt as number;
    const totalUs = timed > 0 ? sumUs / timed : null;
    const [p95Us = null, p99Us = null] = percentiles(histogram, PERCENTAGES);
    return { at, checks, failures, ...meansOf(phases.get(at)), totalUs, p95Us, p99Us };
  });
}

function meansOf(sums: PhaseSums | undefined) {
  const mean = (sumUs: number | null | undefined) => (sums && sumUs != null ? sumUs / sums.timed : null);
  return {
    dnsUs: mean(sums?.dnsUs),
    connectUs: mean(sums?.connectUs),
    tlsUs: mean(sums?.tlsUs),
    firstByteUs: mean(sums?.firstByteUs),
    transferUs: mean(sums?.transferUs),
  };
}

/** Response times of one monitor over a range: passed checks only, microseconds, null without any. */
export interface ResponseTimeTrend {
  id: number;
  uuid: string;
  name: string;
  averageUs: number | null;
  minUs: number | null;
  maxUs: number | null;
  /** The mean of each bucket; NaN where no check passed. */
  averagesUs: Float64Array;
}

export interface ResponseTimeTrends {
  /** The buckets' starts, oldest first, milliseconds: the same for every monitor. */
  bucketsAt: readonly number[];
  trends: ResponseTimeTrend[];
}

interface TrendsInput extends OfKind {
  /** Only this monitor; null: all. */
  only: Monitor | null;
  range: RangeName;
  offset: number;
  limit: number;
}

/**
 * The response times of the organization's monitors of a kind, newest first, from the roll-ups: their cost
 * does not grow with the number of checks.
 */
export async function responseTimeTrends(
  ctx: Running,
  input: TrendsInput,
): Promise<ResponseTimeTrends & { total: number }> {
  const { db } = ctx;
  const { monitors, total } = await findPage(ctx, input);
  const { fromMs, toMs, periodSeconds } = resolveRange(input.range, ctx.clock.now(), monitors.length);
  const latencies = await readLatencies(db, {
    monitorIds: monitors.map(({ id }) => id),
    from: fromMs,
    to: toMs + 1,
    periodSeconds,
  });
  const { bucketsAt } = latencies;
  return { bucketsAt, trends: monitors.map((monitor, row) => trendOf(monitor, row, latencies)), total };
}

/** The monitors of the requested page, and how many there are altogether. */
async function findPage(ctx: Running, { kind, only, offset, limit }: TrendsInput) {
  const { db } = ctx;
  const which = { organizationId: ctx.caller.organizationId, kind };
  if (only === null) {
    const monitors = await listNewestMonitors(db, { ...which, limit, offset });
    return { monitors, total: await countMonitors(db, which) };
  }
  const { id, uuid, name } = only;
  return { monitors: offset === 0 ? [{ id, uuid, name }] : [], total: 1 };
}

function trendOf(
  monitor: { id: number; uuid: string; name: string },
  row: number,
  { bucketsAt, timed, sumUs, minUs, maxUs }: Latencies,
): ResponseTimeTrend {
  const first = row * bucketsAt.length;
  // Becomes the means in place: the sums are not read again.
  const averagesUs = sumUs.subarray(first, first + bucketsAt.length);
  let checks = 0;
  let togetherUs = 0;
  for (let i = 0; i < averagesUs.length; i += 1) {
    const count = timed[first + i] as number;
    const us = averagesUs[i] as number;
    checks += count;
    togetherUs += us;
    averagesUs[i] = us / count;
  }
  if (checks === 0) return { ...monitor, averageUs: null, minUs: null, maxUs: null, averagesUs };
  const [least = null, most = null] = [minUs[row], maxUs[row]];
  return { ...monitor, averageUs: togetherUs / checks, minUs: least, maxUs: most, averagesUs };
}
