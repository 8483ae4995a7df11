import type { CheckResult, ResponseTimes, Trend } from "../../api/domain.ts";

/** What a check spends its time on, in order. `transfer` is what the other phases leave of the whole. */
export const phases = ["dns", "connect", "tls", "firstByte", "transfer"] as const;
export type Phase = (typeof phases)[number];

export interface ResponseSeries {
  /** Milliseconds since 1970, ascending. */
  times: number[];
  /** Milliseconds for each time; null where the line breaks. Phases of the checks, or their mean alone. */
  series: { kind: Phase | "mean"; values: (number | null)[] }[];
  /** When checks failed. */
  failures: number[];
}

/** A hole is where more than this many points are missing. */
const gapPoints = 2.5;

/** The chart's lines. `intervalMs`: of the checks. `trendPeriodMs`: of a trend's points. */
export function toResponseSeries(
  read: ResponseTimes,
  intervalMs: number,
  trendPeriodMs: number,
): ResponseSeries {
  return "checks" in read ? ofChecks(read.checks, intervalMs) : ofTrend(read.trend, trendPeriodMs);
}

/** Phases of passed checks; those of several locations within an interval are one point, their mean. */
function ofChecks(checks: readonly CheckResult[], intervalMs: number): ResponseSeries {
  const failures: number[] = [];
  const buckets = new Map<number, { at: number; count: number; sums: number[] }>();
  for (const check of checks.toReversed()) {
    const at = Date.parse(check.timestamp);
    if (check.state === "down") failures.push(at);
    if (check.state === "down" || check.phases.total === null) continue;
    const key = Math.floor(at / intervalMs);
    let bucket = buckets.get(key);
    if (!bucket) buckets.set(key, (bucket = { at, count: 0, sums: phases.map(() => 0) }));
    bucket.count += 1;
    for (const [index, value] of phasesOf(check).entries())
      bucket.sums[index] = (bucket.sums[index] ?? 0) + value;
  }
  const points = [...buckets.values()].map(({ at, count, sums }) => ({
    at,
    values: sums.map((sum) => sum / count),
  }));
  const { times, columns } = withGaps(points, phases.length, intervalMs);
  const series = phases.map((kind, index) => ({ kind, values: columns[index] ?? [] }));
  return {
    times,
    series: series.filter(({ values }) => values.some((value) => value !== null && value > 0)),
    failures,
  };
}

function phasesOf({ phases: { dns, connect, tls, firstByte, total } }: CheckResult): number[] {
  const named = [dns ?? 0, connect ?? 0, tls ?? 0, firstByte ?? 0];
  const rest = (total ?? 0) - named.reduce((sum, value) => sum + value, 0);
  return [...named, Math.max(0, rest)];
}

function ofTrend({ dataPoints }: Trend, periodMs: number): ResponseSeries {
  const points = dataPoints.map(({ timestamp, responseTime }) => ({
    at: Date.parse(timestamp),
    values: [responseTime],
  }));
  const { times, columns } = withGaps(points, 1, periodMs);
  return { times, series: [{ kind: "mean", values: columns[0] ?? [] }], failures: [] };
}

/** Columns of the points, with an empty row in every hole, so that no line is drawn across. */
function withGaps(points: readonly { at: number; values: number[] }[], width: number, stepMs: number) {
  const times: number[] = [];
  const columns: (number | null)[][] = Array.from({ length: width }, () => []);
  const add = (at: number, values: readonly (number | null)[]) => {
    times.push(at);
    for (const [index, column] of columns.entries()) column.push(values[index] ?? null);
  };
  for (const { at, values } of points) {
    const last = times.at(-1);
    if (last !== undefined && at - last > gapPoints * stepMs) add(last + stepMs, []);
    add(at, values);
  }
  return { times, columns };
}
