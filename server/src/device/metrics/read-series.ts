import type { Context } from "../../context.ts";
import { HOUR_MS, hourOf } from "../../result/pack.ts";
import type { Db } from "../../store/db.ts";
import { type DevicePack, findDevicePack, listDevicePacks } from "../../store/queries/device-packs.ts";
import { listReports, newestReportAt } from "../../store/queries/device-reports.ts";
import { type GiveWay, takeTurns } from "../../turns.ts";
import { readPack } from "./read-pack.ts";
import { bucketBegin, packBegin, type Resolution } from "./resolutions.ts";
import { filterSeries, type IsWanted, joinSeries, NOTHING, rollUp, type Series, seriesOf } from "./series.ts";

/** An hour every five seconds is a third of it. */
const REPORTS_AN_HOUR = 2_000;
/** The newest are often enough. */
const FIRST_PACKS = 3;
const MORE_PACKS = 40;

export interface SeriesQuery {
  deviceId: number;
  resolution: Resolution;
  /** Milliseconds, inclusive; the bucket that it lies in is read whole. `to` is exclusive. */
  from: number;
  to: number;
  isWanted: IsWanted;
}

type Reading = { db: Db } & Pick<Context, "log">;

/**
 * What a device measured, in stretches of time from the newest to the oldest, each oldest first: what is packed together
 * with what is not yet. Read only as far as the caller goes on asking. What cannot be read is logged and left out.
 */
export async function* eachStretch(ctx: Reading, query: SeriesQuery): AsyncGenerator<Series> {
  const { resolution, to } = query;
  const giveWay = takeTurns();
  const from = bucketBegin(resolution, query.from);
  // Before the packs: what is packed meanwhile is then in both, not in neither.
  const hours = await unpackedHours(ctx.db, query);
  const ofStretch = async (beginsAt: number, pack: DevicePack | null) => {
    const own = hours.filter((hour) => packBegin(resolution, hour) === beginsAt);
    let series = (pack && readPack(ctx, pack, query.isWanted)) ?? NOTHING;
    // Where both have a bucket, the one that is made anew counts.
    for (const hour of own) series = joinSeries(await readHour(ctx, hour, query, giveWay), series);
    return filterSeries(series, (at) => from <= at && at < to);
  };
  let waiting = [...new Set(hours.map((hour) => packBegin(resolution, hour)))];
  for await (const pack of eachPack(ctx.db, { ...query, from })) {
    for (const beginsAt of waiting.filter((begin) => begin > pack.beginsAt)) yield ofStretch(beginsAt, null);
    waiting = waiting.filter((begin) => begin < pack.beginsAt);
    yield ofStretch(pack.beginsAt, pack);
    await giveWay();
  }
  for (const beginsAt of waiting) yield ofStretch(beginsAt, null);
}

/** The hours of which there are reports that are not packed, newest first. */
async function unpackedHours(db: Db, { deviceId: monitorId, from, to }: SeriesQuery): Promise<number[]> {
  const hours: number[] = [];
  // A bucket is read whole, whatever of it comes after `to`.
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

/** What was measured in an hour of which not all is packed. */
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
