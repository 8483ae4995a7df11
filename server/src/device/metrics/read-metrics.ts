import type { Running } from "../../verb/verb.ts";
import { type MetricsInput, type MetricsRange, rangeOf } from "./metrics-range.ts";
import { eachStretch } from "./read-series.ts";
import { coarserThan } from "./resolutions.ts";
import type { IsWanted, Series } from "./series.ts";
import { type MetricType, typeOf } from "./units.ts";

/** One figure at a time; `min` and `max` are those of the bucket, of which `value` is the mean, and else the same. */
export interface Metric {
  name: string;
  at: number;
  value: number;
  min: number;
  max: number;
}

/** Which metrics; everything where it says neither. */
interface Which {
  type?: MetricType;
  name?: string;
}

/** What a device measured, newest first, at most `limit` figures. */
export async function listMetrics(
  ctx: Running,
  { id }: { id: number },
  { limit, ...input }: MetricsInput & Which & { limit: number },
): Promise<MetricsRange & { metrics: Metric[] }> {
  const range = rangeOf(input, ctx.clock.now());
  const metrics: Metric[] = [];
  for await (const series of eachStretch(ctx, { deviceId: id, ...range, isWanted: wanting(input) })) {
    addNewest(metrics, series, limit);
    if (metrics.length === limit) break;
  }
  return { ...range, metrics };
}

function addNewest(to: Metric[], { times, columns }: Series, limit: number): void {
  const names = [...columns].sort(([a], [b]) => (a < b ? -1 : 1));
  for (let row = times.length - 1; row >= 0; row -= 1) {
    for (const [name, [values, least = values, most = values]] of names) {
      const value = values?.[row] ?? null;
      if (value === null) continue;
      if (to.length === limit) return;
      to.push({
        ...{ name, at: times[row] as number, value },
        ...{ min: least?.[row] ?? value, max: most?.[row] ?? value },
      });
    }
  }
}

/** The points of one figure, oldest first; none where nothing was measured. */
export interface MetricLine {
  name: string;
  points: Omit<Metric, "name">[];
}

/** Points of all lines of one answer: about 8 MB of JSON. */
const MAX_POINTS = 100_000;

/**
 * What a device measured over a range, for charts: by name, which come in their order. Coarser than was asked for where that
 * would be too many points; where the coarsest has too many, the newest, and `from` is the time that they go back to.
 */
export async function chartMetrics(
  ctx: Running,
  { id }: { id: number },
  input: MetricsInput & Which,
  maxPoints = MAX_POINTS,
): Promise<MetricsRange & { lines: MetricLine[] }> {
  const range = rangeOf(input, ctx.clock.now());
  const byName = new Map<string, MetricLine["points"]>();
  let count = 0;
  for await (const series of eachStretch(ctx, { deviceId: id, ...range, isWanted: wanting(input) })) {
    count += addPoints(byName, series);
    if (count <= maxPoints) continue;
    const resolution = coarserThan(range.resolution);
    if (resolution) return chartMetrics(ctx, { id }, { ...input, ...range, resolution }, maxPoints);
    range.from = series.times[0] ?? range.from;
    break;
  }
  const lines = [...byName].map(([name, points]) => ({ name, points: points.reverse() }));
  return { ...range, lines: lines.sort((a, b) => (a.name < b.name ? -1 : 1)) };
}

/** Newest first; returns how many. */
function addPoints(byName: Map<string, MetricLine["points"]>, { times, columns }: Series): number {
  let count = 0;
  for (const [name, [values = [], least = values, most = values]] of columns) {
    const points = byName.get(name) ?? [];
    byName.set(name, points);
    for (let row = times.length - 1; row >= 0; row -= 1) {
      const value = values[row] ?? null;
      if (value === null) continue;
      points.push({ at: times[row] as number, value, min: least[row] ?? value, max: most[row] ?? value });
      count += 1;
    }
  }
  return count;
}

const wanting =
  ({ type, name }: Which): IsWanted =>
  (own) =>
    (name === undefined || own === name) && (type === undefined || typeOf(own) === type);
