import { onTestFinished } from "vitest";
import { bucketBegin, type Resolution } from "../../../../src/engine/results/precision.ts";
import { packMetrics } from "../../../../src/monitors/devices/metrics/pack-metrics.ts";
import { streamSeries } from "../../../../src/monitors/devices/metrics/read-metrics.ts";
import { asStored, type ReportMetrics } from "../../../../src/monitors/devices/metrics/report-metrics.ts";
import { keepReports, type MeasuredReport } from "../../../../src/monitors/devices/store-reports.ts";
import { insertMany } from "../../../../src/platform/database/bulk.ts";
import type { Store } from "../../../../src/platform/database/store.ts";
import { recordingLog } from "../../../harness/recording-log.ts";
import { monitorRow, organizationRow } from "../../../harness/rows.ts";
import { type EngineName, openTestStore } from "../../../harness/stores.ts";

export const NOW = Date.UTC(2026, 10, 21, 12, 30);
export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

/** A report of device 1, with whatever the test cares about on top. */
export const report = (at: number, metrics: ReportMetrics = metricsAt(at), deviceId = 1): MeasuredReport => ({
  ...{ deviceId, at, metrics },
});

/** What differs from report to report, and what does not; an interface that is there in some hours only. */
export function metricsAt(at: number): ReportMetrics {
  const n = Math.floor(at / 10_000);
  return {
    "cpu.usage": ((n * 7_919) % 10_000) / 100,
    "memory.used": 8_000_000_000 + ((n * 104_729) % 1_000_000) * 4_096,
    "disk./.total": 512_000_000_000,
    ...(Math.floor(at / HOUR_MS) % 3 === 0 && { "network.veth1.rx": (n * 31) % 977 }),
  };
}

/** Every `stepMs` from `from` to before `to`. */
export const reportsOf = (from: number, to: number, stepMs = 5 * MINUTE_MS, deviceId = 1): MeasuredReport[] =>
  Array.from({ length: Math.ceil((to - from) / stepMs) }, (_, i) =>
    report(from + i * stepMs, metricsAt(from + i * stepMs), deviceId),
  );

/** A point of one name: mean, least and most of a bucket; as reported, thrice the same. */
type Point = [at: number, name: string, mean: number, least: number, most: number];

/** What is read, oldest first. */
export async function readAll(
  store: Store,
  resolution: Resolution,
  { from = 0, to = 2 ** 52, deviceId = 1 } = {},
): Promise<Point[]> {
  const points: Point[] = [];
  const query = { deviceId, resolution, from, to, isWanted: () => true };
  const log = recordingLog();
  for await (const { times, columns } of streamSeries({ db: store.db, log }, query)) {
    for (const [name, [means = [], least = means, most = means]] of columns) {
      for (const [row, at] of times.entries()) {
        const mean = means[row] ?? null;
        if (mean !== null) points.push([at, name, mean, least[row] ?? mean, most[row] ?? mean]);
      }
    }
  }
  return points.sort(byTime);
}

const byTime = ([at, name]: Point, [otherAt, other]: Point) => at - otherAt || (name < other ? -1 : 1);

/** What has to be read, worked out from all reports there are, of which the first of a time counts. */
export function expected(
  reports: readonly MeasuredReport[],
  resolution: Resolution,
  { from = 0, to = 2 ** 52 } = {},
): Point[] {
  const groups = new Map<string, { at: number; name: string; values: number[] }>();
  const known = new Set<number>();
  for (const { at, metrics } of reports) {
    if (known.has(at)) continue;
    known.add(at);
    for (const [name, value] of Object.entries(metrics)) {
      const bucket = bucketBegin(resolution, at);
      const group = groups.get(`${bucket} ${name}`) ?? { at: bucket, name, values: [] };
      group.values.push(asStored(value));
      groups.set(`${bucket} ${name}`, group);
    }
  }
  return [...groups.values()]
    .filter(({ at }) => bucketBegin(resolution, from) <= at && at < to)
    .map(({ at, name, values }): Point => {
      const mean = asStored(values.reduce((sum, value) => sum + value, 0) / values.length);
      return [at, name, mean, Math.min(...values), Math.max(...values)];
    })
    .sort(byTime);
}

/** A store with devices, its log, and packing at a time of one's own. */
export async function openForMetrics(engine: EngineName, devices = 2) {
  const store = await openTestStore(engine);
  onTestFinished(() => store.close());
  await insertMany(store.db, "organizations", [organizationRow(1)]);
  const ids = Array.from({ length: devices }, (_, i) => i + 1);
  await insertMany(
    store.db,
    "monitors",
    ids.map((id) => monitorRow(id, { kind: "device", type: "agent", name: `D${id}`, target: "agent" })),
  );
  const log = recordingLog();
  const pack = (now = NOW, signal?: AbortSignal, on: Store = store) =>
    packMetrics({ store: on, log, clock: { now: () => now } }, signal ? { signal } : {});
  const keep = (reports: readonly MeasuredReport[]) => store.transaction((trx) => keepReports(trx, reports));
  return { store, log, pack, keep };
}

export async function countRows(store: Store, table: "device_reports" | "device_packs"): Promise<number> {
  return (await store.db.selectFrom(table).select("monitor_id").execute()).length;
}
