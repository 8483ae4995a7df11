import type { CheckResult, Phase, PhasesPoint, ResponseTimes } from "../../api/monitor.ts";
import type { TimeSpan } from "../../components/chart-data.ts";

/** What a chart of response times shows. Lists have a value for each of `times`; null where the line breaks. */
export interface ResponseSeries {
  /** Milliseconds since 1970, ascending. */
  times: number[];
  /** What the time was spent on, in order; phases that there is nothing of are left out. Milliseconds. */
  layers: { kind: Phase; values: (number | null)[] }[];
  /** The whole checks. Milliseconds. */
  total: (number | null)[];
  /** The 95th and 99th percentile; null where they were not requested. */
  percentiles: { p95: (number | null)[]; p99: (number | null)[] } | null;
  /** When checks failed, and how many. */
  failures: { at: number; count: number }[];
  /** Every time that something was measured at, ascending, and the usual time to the next one, milliseconds. */
  measured: number[];
  stepMs: number;
}

interface Lengths {
  /** From one check to the next. */
  intervalMs: number;
  /** Of the points. */
  periodMs: number;
}

/** A hole is where more than this many steps are missing. */
const gapSteps = 2.5;

/** The chart of what was read; its layers are `phases`, from below. */
export function toResponseSeries(
  read: ResponseTimes,
  phases: readonly Phase[],
  { intervalMs, periodMs }: Lengths,
): ResponseSeries {
  return "checks" in read
    ? ofChecks(read.checks, phases, intervalMs)
    : ofPoints(read.points, phases, Math.max(intervalMs, periodMs));
}

/** When nothing was measured between two times. */
export function gapsOf(
  { measured, stepMs }: Pick<ResponseSeries, "measured" | "stepMs">,
  { fromMs, toMs }: TimeSpan,
): TimeSpan[] {
  const gaps: TimeSpan[] = [];
  let known = fromMs;
  let hasBegun = false;
  for (const at of [...measured.filter((time) => fromMs <= time && time <= toMs), toMs]) {
    const begin = hasBegun ? known + stepMs : known;
    if (at - known > gapSteps * stepMs) gaps.push({ fromMs: begin, toMs: at });
    known = at;
    hasBegun = true;
  }
  return gaps;
}

/** Passed checks; those of several locations within an interval are one point, their mean. */
function ofChecks(
  checks: readonly CheckResult[],
  phases: readonly Phase[],
  intervalMs: number,
): ResponseSeries {
  const knownChecks = checks.filter(({ state }) => state !== "unknown").toReversed();
  const timed = knownChecks.filter(({ state, phases: { total } }) => state !== "down" && total !== null);
  const at = ({ timestamp }: CheckResult) => Date.parse(timestamp);
  const points = [...Map.groupBy(timed, (check) => Math.floor(at(check) / intervalMs)).values()].map(
    (group): Point => ({
      at: at(group[0] as CheckResult),
      total: meanOf(group.map((check) => check.phases.total ?? 0)),
      parts: phases.map((_, index) => meanOf(group.map((check) => timesOf(check, phases)[index] ?? 0))),
      p95: null,
      p99: null,
    }),
  );
  const totals = timed.map((check) => check.phases.total ?? 0).toSorted((one, other) => one - other);
  const rank = (share: number) => totals[Math.ceil(share * totals.length) - 1] ?? null;
  const [p95, p99] = [rank(0.95), rank(0.99)];
  return {
    ...linesOf(
      points.map((point) => ({ ...point, p95, p99 })),
      phases,
      intervalMs,
    ),
    failures: knownChecks
      .filter(({ state }) => state === "down")
      .map((check) => ({ at: at(check), count: 1 })),
    measured: knownChecks.map(at),
    stepMs: intervalMs,
  };
}

const meanOf = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;

/** Averages over intervals. Of old ones the total may be all that is known. */
function ofPoints(points: readonly PhasesPoint[], phases: readonly Phase[], stepMs: number): ResponseSeries {
  const timed = points.filter((point) => point.phases.total !== null);
  const at = ({ timestamp }: PhasesPoint) => Date.parse(timestamp);
  const shown = timed.map((point): Point => {
    const { total, ...parts } = point.phases;
    const isWhole = Object.values(parts).every((value) => value === null);
    const { p95, p99 } = point;
    return { at: at(point), total, parts: isWhole ? [] : timesOf(point, phases), p95, p99 };
  });
  return {
    ...linesOf(shown, phases, stepMs),
    failures: points
      .filter(({ failedChecks }) => failedChecks > 0)
      .map((point) => ({ at: at(point), count: point.failedChecks })),
    measured: points.map(at),
    stepMs,
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
  total: number | null;
  /** One for each phase; none where only the whole is known. */
  parts: readonly number[];
  p95: number | null;
  p99: number | null;
}

/** Layers and lines of the points, with an empty place in every hole, so that no line is drawn across. */
function linesOf(points: readonly Point[], phases: readonly Phase[], stepMs: number) {
  const places: (Point | null)[] = [];
  const times: number[] = [];
  for (const point of points) {
    const last = times.at(-1);
    if (last !== undefined && point.at - last > gapSteps * stepMs) {
      times.push(last + stepMs);
      places.push(null);
    }
    times.push(point.at);
    places.push(point);
  }
  const line = (valueOf: (point: Point) => number | null | undefined) =>
    places.map((point) => (point ? (valueOf(point) ?? null) : null));
  const layers = phases.map((kind, index) => ({ kind, values: line(({ parts }) => parts[index]) }));
  const isKnown = points.some(({ p95 }) => p95 !== null);
  return {
    times,
    layers: layers.filter(({ values }) => values.some((value) => value !== null && value > 0)),
    total: line(({ total }) => total),
    percentiles: isKnown ? { p95: line(({ p95 }) => p95), p99: line(({ p99 }) => p99) } : null,
  };
}

/** Checks in a row that came out alike, newest first; never empty. */
interface ResultRun {
  /** Stays the same while newer checks join. */
  id: number;
  checks: readonly CheckResult[];
}

/** Fewer are shown one by one. */
const fewestFolded = 3;

/** Checks in runs, newest first. Of `results`, newest first, those are alike that have one outcome, code and kind of reason. */
export function resultRuns(results: readonly CheckResult[]): ResultRun[] {
  const runs: CheckResult[][] = [];
  for (const result of results) {
    const last = runs.at(-1);
    if (last?.[0] && isAlike(last[0], result)) last.push(result);
    else runs.push([result]);
  }
  return runs
    .flatMap((checks) => (checks.length < fewestFolded ? checks.map((check) => [check]) : [checks]))
    .map((checks) => ({ id: checks.at(-1)?.id ?? 0, checks }));
}

const isAlike = (one: CheckResult, other: CheckResult): boolean =>
  one.state === other.state && one.statusCode === other.statusCode && one.reasonCode === other.reasonCode;

/** How long the checks took that answered, milliseconds; null where none did. */
export function responseSpan(checks: readonly CheckResult[]): { fastest: number; slowest: number } | null {
  const times = checks.flatMap((check) => shownTime(check) ?? []);
  return times.length === 0 ? null : { fastest: Math.min(...times), slowest: Math.max(...times) };
}

/** How long a check took, where there was an answer; otherwise the time is only how long it waited. */
export const shownTime = ({ responseTime, state, statusCode }: CheckResult): number | null =>
  state === "down" && statusCode === null ? null : responseTime;

/** Each once, newest first. Where checks between are missing, the older ones are left out. */
export function joinResults(newest: readonly CheckResult[], older: readonly CheckResult[]): CheckResult[] {
  const oldestNew = newest.at(-1);
  if (!oldestNew) return [...newest];
  const isJoined = older.some(({ id }) => id >= oldestNew.id);
  return isJoined ? [...newest, ...older.filter(({ id }) => id < oldestNew.id)] : [...newest];
}
