import { HOUR_MS, hourOf } from "../../../engine/results/pack-format.ts";
import { packBegin, RESOLUTIONS } from "../../../engine/results/precision.ts";
import { createThrottle, type Throttle } from "../../../engine/results/throttle.ts";
import type { Context } from "../../../platform/context.ts";
import { takeTurns } from "../../../platform/turns.ts";
import {
  type DevicePack,
  type DeviceReport,
  deleteReports,
  findDevicePack,
  listReports,
  listUnpackedDevices,
  replaceDevicePack,
} from "../../queries/device-packs.ts";
import { joinSeries, packSeries, readPack, rollUp, seriesOf, unpackSeries } from "./packed-series.ts";

const DEVICES_A_PAGE = 200;
/** Three hours at the shortest interval. */
const REPORTS_A_SLICE = 2_000;
/** Allows for late reports. */
const GRACE_MS = 120_000;

export interface MetricsPackingReport {
  reports: number;
  hours: number;
  /** False: aborted; the next run continues. */
  finished: boolean;
}

type Packing = Pick<Context, "store" | "clock" | "log">;

/**
 * Packs past hours of device metrics and rolls them up; late reports are merged. Each hour is computed
 * outside the store, then one transaction replaces its rows, unless a pack changed meanwhile. Failures are
 * logged and retried by the next run.
 */
export async function packMetrics(
  ctx: Packing,
  options: { signal?: AbortSignal } = {},
): Promise<MetricsPackingReport> {
  const throttle = createThrottle(options.signal);
  const report = { reports: 0, hours: 0 };
  await packDevices(ctx, throttle, report, hourOf(ctx.clock.now() - GRACE_MS));
  return { ...report, finished: !throttle.aborted };
}

type Counts = Omit<MetricsPackingReport, "finished">;

async function packDevices(ctx: Packing, throttle: Throttle, report: Counts, before: number): Promise<void> {
  let afterId = 0;
  while (!throttle.aborted) {
    const page = { before, afterId, limit: DEVICES_A_PAGE };
    const devices = await throttle.once(() => listUnpackedDevices(ctx.store.db, page));
    for (const { monitorId, oldestAt } of devices) {
      afterId = monitorId;
      if (oldestAt !== null) await packDevice(ctx, throttle, report, { monitorId, from: oldestAt, before });
      if (throttle.aborted) return;
    }
    if (devices.length < DEVICES_A_PAGE) return;
  }
}

async function packDevice(
  ctx: Packing,
  throttle: Throttle,
  report: Counts,
  { monitorId, before, ...rest }: { monitorId: number; from: number; before: number },
): Promise<void> {
  let { from } = rest;
  while (from < before && !throttle.aborted) {
    const slice = { monitorId, from, to: before, limit: REPORTS_A_SLICE };
    const rows = await throttle.once(() => listReports(ctx.store.db, slice));
    const [oldest] = rows;
    if (!oldest) return;
    const to = hourOf(oldest.at) + HOUR_MS;
    const own = rows.filter(({ at }) => at < to);
    try {
      await throttle.once(() => packHour(ctx, own));
      report.reports += own.length;
      report.hours += 1;
    } catch (err) {
      if (err instanceof OvertakenError) return;
      ctx.log.error({ err, monitorId }, "Metrics could not be packed; they stay as they are");
    }
    from = (own.at(-1) as DeviceReport).at + 1;
  }
}

interface Rewritten {
  pack: DevicePack;
  before: Uint8Array | null;
}

/** Of one hour of one device, in order, merged with the hour's pack. */
async function packHour(ctx: Packing, reports: readonly DeviceReport[]): Promise<void> {
  const { store } = ctx;
  const { db } = store;
  const giveWay = takeTurns();
  const { monitorId, at } = reports[0] as DeviceReport;
  const packed = await findDevicePack(db, { monitorId, resolution: "raw", at });
  const fresh = await seriesOf(reports, giveWay);
  const raw = packed ? joinSeries(unpackSeries(packed.series), fresh) : fresh;
  const rewritten: Rewritten[] = [];
  for (const resolution of RESOLUTIONS) {
    const key = { monitorId, resolution, beginsAt: packBegin(resolution, at) };
    const before = resolution === "raw" ? packed : await findDevicePack(db, { monitorId, resolution, at });
    const rolled = resolution === "raw" ? raw : await rollUp(raw, resolution, giveWay);
    // Unreadable roll-ups of other hours are dropped, so that new ones are stored.
    const others = resolution === "raw" || !before ? null : readPack(ctx, before);
    // `rolled` has every bucket of the hour, and wins.
    const all = others ? joinSeries(rolled, others) : rolled;
    const series = await packSeries(all, giveWay);
    rewritten.push({ pack: { ...key, series }, before: before?.series ?? null });
  }
  await store.transaction(async (trx) => {
    for (const { pack, before } of rewritten) {
      if (!(await replaceDevicePack(trx, pack, before))) throw new OvertakenError();
    }
    const times = reports.map((report) => report.at);
    await deleteReports(trx, monitorId, times);
  });
}

class OvertakenError extends Error {
  constructor() {
    super("The metrics have been packed by another server meanwhile.");
    this.name = "OvertakenError";
  }
}
