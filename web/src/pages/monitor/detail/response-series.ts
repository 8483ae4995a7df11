import type { CheckResult, Phase, PhasesPoint, ResponseTimes } from "../../../api/monitor.ts";

export interface ResponseSeries {
  /** Milliseconds since 1970, ascending. */
  times: number[];
  /** Milliseconds for each time; null where the line breaks. Phases, and the whole where that is all that is known. */
  series: { kind: Phase | "mean"; values: (number | null)[] }[];
  /** When checks failed, and how many of them did. */
  failures: number[];
  failedChecks: number;
}

/** A hole is where more than this many points are missing. */
const gapPoints = 2.5;

/** The chart's layers: `phases`, from below. `intervalMs`: of the checks. `periodMs`: of the points. */
export function toResponseSeries(
  read: ResponseTimes,
  phases: readonly Phase[],
  { intervalMs, periodMs }: { intervalMs: number; periodMs: number },
): ResponseSeries {
  return "checks" in read
    ? ofChecks(read.checks, phases, intervalMs)
    : ofPoints(read.points, phases, periodMs);
}

/** Phases of passed checks; those of several locations within an interval are one point, their mean. */
function ofChecks(
  checks: readonly CheckResult[],
  phases: readonly Phase[],
  intervalMs: number,
): ResponseSeries {
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
    for (const [index, value] of timesOf(check, phases).entries())
      bucket.sums[index] = (bucket.sums[index] ?? 0) + value;
  }
  const points = [...buckets.values()].map(({ at, count, sums }) => ({
    at,
    values: sums.map((sum) => sum / count),
  }));
  return { ...layersOf(points, phases, intervalMs), failures, failedChecks: failures.length };
}

/** Means over stretches of time. Of old ones the whole may be all that is known: a layer of its own. */
function ofPoints(
  points: readonly PhasesPoint[],
  phases: readonly Phase[],
  periodMs: number,
): ResponseSeries {
  const failed = points.filter(({ failedChecks }) => failedChecks > 0);
  const timed = points.filter((point) => point.phases.total !== null);
  const layers = timed.map((point) => {
    const { total, ...parts } = point.phases;
    const isWhole = Object.values(parts).every((value) => value === null);
    const values = isWhole ? [...phases.map(() => null), total] : [...timesOf(point, phases), null];
    return { at: Date.parse(point.timestamp), values };
  });
  return {
    ...layersOf(layers, [...phases, "mean"], periodMs),
    failures: failed.map(({ timestamp }) => Date.parse(timestamp)),
    failedChecks: failed.reduce((sum, { failedChecks }) => sum + failedChecks, 0),
  };
}

/** Of checks of before the transfer was measured, it is what the other phases leave of the whole. */
function timesOf({ phases: times }: Pick<CheckResult, "phases">, phases: readonly Phase[]): number[] {
  const named = phases.reduce((sum, phase) => sum + (times[phase] ?? 0), 0);
  const rest = times.firstByte === null ? 0 : Math.max(0, (times.total ?? 0) - named);
  return phases.map((phase) => times[phase] ?? (phase === "transfer" ? rest : 0));
}

interface Point {
  at: number;
  values: (number | null)[];
}

/** A layer for each kind that there is something of. */
function layersOf(points: readonly Point[], kinds: readonly (Phase | "mean")[], stepMs: number) {
  const { times, columns } = withGaps(points, kinds.length, stepMs);
  const series = kinds.map((kind, index) => ({ kind, values: columns[index] ?? [] }));
  return {
    times,
    series: series.filter(({ values }) => values.some((value) => value !== null && value > 0)),
  };
}

/** Columns of the points, with an empty row in every hole, so that no line is drawn across. */
function withGaps(points: readonly Point[], width: number, stepMs: number) {
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
