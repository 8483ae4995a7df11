import { HOUR_MS, hourOf } from "../../../engine/results/pack-format.ts";
import {
  bucketBegin,
  chooseResolution,
  coarserThan,
  packBegin,
  RANGE_MS,
  type RangeName,
  type Resolution,
  retentionMs,
} from "../../../engine/results/precision.ts";
import type { Context } from "../../../platform/context.ts";
import type { Db } from "../../../platform/database/schema.ts";
import { invalidInput } from "../../../platform/errors.ts";
import { msg } from "../../../platform/i18n/message.ts";
import type { Running } from "../../../platform/operations/operation.ts";
import { type GiveWay, takeTurns } from "../../../platform/turns.ts";
import {
  type DevicePack,
  findDevicePack,
  listDevicePacks,
  listPacksOfDevices,
  listReports,
  newestReportAt,
  sampleReports,
} from "../../queries/device-packs.ts";
import {
  filterSeries,
  type IsWanted,
  joinSeries,
  NOTHING,
  readPack,
  rollUp,
  type Series,
  seriesOf,
} from "./packed-series.ts";
import { reportReader } from "./report-metrics.ts";
import { type MetricType, typeOf } from "./usage.ts";

/** `min`, `max` and the mean `value` of a bucket; equal for raw values. */
export interface Metric {
  name: string;
  at: number;
  value: number;
  min: number;
  max: number;
}

/** Without either: all. */
interface Which {
  type?: MetricType;
  name?: string;
}

/** Newest first, at most `limit` values. */
export async function listMetrics(
  ctx: Running,
  { id }: { id: number },
  { limit, ...input }: MetricsInput & Which & { limit: number },
): Promise<MetricsRange & { metrics: Metric[] }> {
  const range = rangeOf(input, ctx.clock.now());
  const metrics: Metric[] = [];
  for await (const series of streamSeries(ctx, { deviceId: id, ...range, isWanted: wanting(input) })) {
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

/** Oldest first. */
interface MetricLine {
  name: string;
  points: Omit<Metric, "name">[];
}

/** Of one answer: about 8 MB of JSON. */
const MAX_POINTS = 100_000;

/**
 * In the order of the names. Coarser than requested where there would be too many points; if the coarsest
 * still has too many, the newest ones, back to `from`.
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
  for await (const series of streamSeries(ctx, { deviceId: id, ...range, isWanted: wanting(input) })) {
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

/** `from` and `to` instead of `range`, milliseconds. */
interface MetricsInput {
  range?: RangeName;
  from?: number;
  to?: number;
  resolution?: Resolution;
}

/** Milliseconds; `to` is exclusive. */
interface MetricsRange {
  from: number;
  to: number;
  resolution: Resolution;
}

const DAY_MS = 86_400_000;

/**
 * Default: the newest, as reported; with a resolution, as far back as it is stored. Throws a PublicError
 * (422) for a range that ends before it begins.
 */
export function rangeOf(input: MetricsInput, now: number): MetricsRange {
  // Includes reports of this millisecond.
  const to = input.to ?? now + 1;
  const requestedFrom =
    input.from ?? (input.range && to - RANGE_MS[input.range]) ?? (input.to && to - DAY_MS);
  if (requestedFrom === undefined) {
    const { resolution = "raw" } = input;
    return { from: to - retentionMs(resolution), to, resolution };
  }
  if (requestedFrom >= to)
    throw invalidInput(
      input.to === undefined
        ? { from: [msg("input.past", { field: "from" })] }
        : { to: [msg("maintenance.until")] },
    );
  return {
    from: requestedFrom,
    to,
    resolution: input.resolution ?? chooseResolution({ from: requestedFrom, to }, now),
  };
}

/** An hour at five seconds is a third of it. */
const REPORTS_AN_HOUR = 2_000;
/** The newest are often enough. */
const FIRST_PACKS = 3;
const MORE_PACKS = 40;

interface SeriesQuery {
  deviceId: number;
  resolution: Resolution;
  /** Milliseconds, inclusive, extended to the whole bucket; `to` is exclusive. */
  from: number;
  to: number;
  isWanted: IsWanted;
}

type Reading = { db: Db } & Pick<Context, "log">;

/**
 * Parts from newest to oldest, each oldest first, packed and unpacked; read only as far as the caller
 * iterates. Unreadable parts are logged and left out.
 */
export async function* streamSeries(ctx: Reading, query: SeriesQuery): AsyncGenerator<Series> {
  const { resolution, to } = query;
  const giveWay = takeTurns();
  const from = bucketBegin(resolution, query.from);
  // Before the packs: reports packed meanwhile are then in both, not in neither.
  const hours = await unpackedHours(ctx.db, query);
  const readPart = async (beginsAt: number, pack: DevicePack | null) => {
    const own = hours.filter((hour) => packBegin(resolution, hour) === beginsAt);
    let series = (pack && readPack(ctx, pack, query.isWanted)) ?? NOTHING;
    // Where both have a bucket, the recomputed one wins.
    for (const hour of own) series = joinSeries(await readHour(ctx, hour, query, giveWay), series);
    return filterSeries(series, (at) => from <= at && at < to);
  };
  let waiting = [...new Set(hours.map((hour) => packBegin(resolution, hour)))];
  for await (const pack of eachPack(ctx.db, { ...query, from })) {
    for (const beginsAt of waiting.filter((begin) => begin > pack.beginsAt)) yield readPart(beginsAt, null);
    waiting = waiting.filter((begin) => begin < pack.beginsAt);
    yield readPart(pack.beginsAt, pack);
    await giveWay();
  }
  for (const beginsAt of waiting) yield readPart(beginsAt, null);
}

/** Newest first. */
async function unpackedHours(db: Db, { deviceId: monitorId, from, to }: SeriesQuery): Promise<number[]> {
  const hours: number[] = [];
  // Buckets are read whole, beyond `to`.
  for (let before = hourOf(to - 1) + HOUR_MS; ; ) {
    const at = await newestReportAt(db, { monitorId, from: hourOf(from), to: before });
    if (at === null) return hours;
    before = hourOf(at);
    hours.push(before);
  }
}

async function* eachPack(
  db: Db,
  { deviceId: monitorId, resolution, from, to }: SeriesQuery,
): AsyncGenerator<DevicePack> {
  let before = to;
  for (let limit = FIRST_PACKS; ; limit = MORE_PACKS) {
    const packs = await listDevicePacks(db, { monitorId, resolution, from, to: before, limit });
    yield* packs;
    if (packs.length < limit) return;
    before = (packs.at(-1) as DevicePack).beginsAt;
  }
}

/** Of a partly packed hour. */
async function readHour(
  ctx: Reading,
  hour: number,
  { deviceId: monitorId, resolution, isWanted }: SeriesQuery,
  giveWay: GiveWay,
): Promise<Series> {
  const { db } = ctx;
  const reports = await listReports(db, {
    monitorId,
    from: hour,
    to: hour + HOUR_MS,
    limit: REPORTS_AN_HOUR,
  });
  const pack = await findDevicePack(db, { monitorId, resolution: "raw", at: hour });
  const packed = (pack && readPack(ctx, pack, isWanted)) ?? NOTHING;
  const raw = joinSeries(packed, await seriesOf(reports, giveWay, isWanted));
  return resolution === "raw" ? raw : rollUp(raw, resolution, giveWay);
}

const STEP_MS = 120_000;
const STEPS = HOUR_MS / STEP_MS;
const [CPU, MEMORY] = ["cpu.usage", "memory.usage"];
const isUsage = (name: string): boolean => name === CPU || name === MEMORY;

/** Percent; null: not measured. Milliseconds. */
export interface UsagePoint {
  at: number;
  cpu: number | null;
  memory: number | null;
}

/**
 * The last hour in 30 points, in two queries for any number of devices. A point is the last report of its two
 * minutes, or the mean of a packed minute.
 */
export async function readRecentUsage(
  ctx: { db: Db } & Pick<Context, "clock" | "log">,
  deviceIds: readonly number[],
): Promise<Map<number, UsagePoint[]>> {
  const { db } = ctx;
  const last = ctx.clock.now() - (ctx.clock.now() % STEP_MS);
  const begins = Array.from({ length: STEPS }, (_, i) => last - (STEPS - 1 - i) * STEP_MS);
  const lines = new Map(
    deviceIds.map((id) => [id, begins.map((at): UsagePoint => ({ at, cpu: null, memory: null }))]),
  );
  const pointAt = (id: number, at: number) =>
    lines.get(id)?.[Math.floor((at - (begins[0] as number)) / STEP_MS)];
  const giveWay = takeTurns();
  const read = reportReader();
  const samples = await sampleReports(db, { monitorIds: deviceIds, begins, stepMs: STEP_MS });
  const hours = [...new Set(begins.map(hourOf))];
  const packs = await listPacksOfDevices(db, { monitorIds: deviceIds, resolution: "1m", begins: hours });
  for (const pack of packs) {
    const { times, columns } = readPack(ctx, pack, isUsage) ?? NOTHING;
    const [cpu, memory] = [columns.get(CPU)?.[0], columns.get(MEMORY)?.[0]];
    for (const [row, at] of times.entries()) {
      const point = pointAt(pack.monitorId, at);
      if (point) Object.assign(point, { cpu: cpu?.[row] ?? null, memory: memory?.[row] ?? null });
    }
    await giveWay();
  }
  for (const { monitorId, begin, metrics } of samples) {
    const { names, values } = read(metrics);
    const valueOf = (name: string) => values[names.indexOf(name)] ?? null;
    const point = pointAt(monitorId, begin);
    if (point) Object.assign(point, { cpu: valueOf(CPU), memory: valueOf(MEMORY) });
    await giveWay();
  }
  return lines;
}
