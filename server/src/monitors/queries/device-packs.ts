import { sql } from "kysely";
import { packBegin, RESOLUTION_DETAILS, type Resolution } from "../../engine/results/precision.ts";
import { type HotTable, insertNewTuples } from "../../platform/database/bulk.ts";
import type { Db } from "../../platform/database/schema.ts";
import { among, compileOnce, idKeys, type Slots } from "../../platform/database/sql.ts";

/** Which period of a device's metrics; `beginsAt`: milliseconds. */
interface DevicePackKey {
  monitorId: number;
  resolution: Resolution;
  beginsAt: number;
}

/** That period in the form of monitors/devices/metrics/packed-series.ts. */
export interface DevicePack extends DevicePackKey {
  series: Uint8Array;
}

interface DevicePacksQuery {
  monitorId: number;
  resolution: Resolution;
  /** Milliseconds: packs with what was from then on. */
  from: number;
  /** Packs that begin before then. */
  to: number;
  limit: number;
}

/** A device's packs, newest first. */
export async function listDevicePacks(db: Db, query: DevicePacksQuery): Promise<DevicePack[]> {
  const { monitorId, resolution, to, limit } = query;
  const from = packBegin(resolution, query.from);
  const { seconds } = RESOLUTION_DETAILS[resolution];
  const rows = await packsOf(db, { monitorId, seconds, from, to, limit });
  return rows.map((row) => ({ monitorId, resolution, ...row }));
}

const packsOf = compileOnce(
  (db, slots: Slots<Record<"monitorId" | "seconds" | "from" | "to" | "limit", number>>) =>
    db
      .selectFrom("device_packs")
      .select(["begins_at as beginsAt", "series"])
      .where("monitor_id", "=", slots.monitorId)
      .where("resolution", "=", slots.seconds)
      .where("begins_at", ">=", slots.from)
      .where("begins_at", "<", slots.to)
      .orderBy("begins_at", "desc")
      .limit(slots.limit),
);

/** The pack that has what was at `at`; null where there is none. */
export async function findDevicePack(
  db: Db,
  { monitorId, resolution, at }: { monitorId: number; resolution: Resolution; at: number },
): Promise<DevicePack | null> {
  const [pack] = await listDevicePacks(db, { monitorId, resolution, from: at, to: at + 1, limit: 1 });
  return pack ?? null;
}

/** The packs of one resolution of several devices that begin at these times. */
export async function listPacksOfDevices(
  db: Db,
  {
    monitorIds,
    resolution,
    begins,
  }: { monitorIds: readonly number[]; resolution: Resolution; begins: number[] },
): Promise<DevicePack[]> {
  const rows = await db
    .selectFrom("device_packs")
    .select(["monitor_id as monitorId", "begins_at as beginsAt", "series"])
    .where(among(db, "monitor_id", monitorIds))
    .where("resolution", "=", RESOLUTION_DETAILS[resolution].seconds)
    .where(among(db, "begins_at", begins))
    .execute();
  return rows.map((row) => ({ resolution, ...row }));
}

/** Writes a pack in place of `before`, or as the first where that is null; false where something else is there by now. */
export async function replaceDevicePack(
  trx: Db,
  { monitorId, resolution, beginsAt, series }: DevicePack,
  before: Uint8Array | null,
): Promise<boolean> {
  const key = {
    monitor_id: monitorId,
    resolution: RESOLUTION_DETAILS[resolution].seconds,
    begins_at: beginsAt,
  };
  if (before === null) {
    const { numInsertedOrUpdatedRows } = await trx
      .insertInto("device_packs")
      .values({ ...key, series })
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirstOrThrow();
    return Number(numInsertedOrUpdatedRows) === 1;
  }
  const { numUpdatedRows } = await trx
    .updateTable("device_packs")
    .set({ series })
    .where("monitor_id", "=", key.monitor_id)
    .where("resolution", "=", key.resolution)
    .where("begins_at", "=", key.begins_at)
    .where("series", "=", before)
    .executeTakeFirstOrThrow();
  return Number(numUpdatedRows) === 1;
}

/** What one report of a device measured; `at`: milliseconds. */
export interface DeviceReport {
  monitorId: number;
  at: number;
  /** monitors/devices/metrics/report-metrics.ts. */
  metrics: Uint8Array;
}

const REPORTS: HotTable = {
  name: "device_reports",
  columns: { monitor_id: "bigint", at: "bigint", metrics: "bytea" },
  keys: ["monitor_id", "at"],
};

/** Stores reports; one of a device and a time that has a row already changes nothing. */
export async function insertReports(trx: Db, reports: readonly DeviceReport[]): Promise<void> {
  const tuples = reports.map(({ monitorId, at, metrics }) => [monitorId, at, metrics]);
  await insertNewTuples(trx, REPORTS, tuples);
}

interface ReportsQuery {
  monitorId: number;
  /** Milliseconds, inclusive; `to` is exclusive. */
  from: number;
  to: number;
  limit: number;
}

/** A device's reports that are not packed, oldest first. */
export const listReports = compileOnce((db, slots: Slots<ReportsQuery>) =>
  db
    .selectFrom("device_reports")
    .select(["monitor_id as monitorId", "at", "metrics"])
    .where("monitor_id", "=", slots.monitorId)
    .where("at", ">=", slots.from)
    .where("at", "<", slots.to)
    .orderBy("at")
    .limit(slots.limit),
);

/** When the newest of them was, before `to`; null: none since `from`. */
export async function newestReportAt(db: Db, query: Omit<ReportsQuery, "limit">): Promise<number | null> {
  const [row] = await newestTimes(db, query);
  return row?.at ?? null;
}

const newestTimes = compileOnce((db, slots: Slots<Omit<ReportsQuery, "limit">>) =>
  db
    .selectFrom("device_reports")
    .select("at")
    .where("monitor_id", "=", slots.monitorId)
    .where("at", ">=", slots.from)
    .where("at", "<", slots.to)
    .orderBy("at", "desc")
    .limit(1),
);

/** Devices after `afterId` that are not deleted, and when the oldest of their reports before `before` was: null for none. */
export async function listUnpackedDevices(
  db: Db,
  { before, afterId, limit }: { before: number; afterId: number; limit: number },
): Promise<{ monitorId: number; oldestAt: number | null }[]> {
  return db
    .selectFrom("monitors")
    .select((select) => [
      "monitors.id as monitorId",
      select
        .selectFrom("device_reports")
        .select("at")
        .whereRef("device_reports.monitor_id", "=", "monitors.id")
        .where("at", "<", before)
        .orderBy("at")
        .limit(1)
        .as("oldestAt"),
    ])
    .where("monitors.id", ">", afterId)
    .where("monitors.kind", "=", "device")
    .where("monitors.deleted_at", "is", null)
    .orderBy("monitors.id")
    .limit(limit)
    .execute();
}

/** Removes the reports of these times. */
export async function deleteReports(trx: Db, monitorId: number, times: readonly number[]): Promise<void> {
  await trx
    .deleteFrom("device_reports")
    .where("monitor_id", "=", monitorId)
    .where(among(trx, "at", times))
    .execute();
}

/** Of each device the last report in each period of `stepMs` from one of `begins` on, those that are not packed. */
export async function sampleReports(
  db: Db,
  {
    monitorIds,
    begins,
    stepMs,
  }: { monitorIds: readonly number[]; begins: readonly number[]; stepMs: number },
): Promise<{ monitorId: number; begin: number; metrics: Uint8Array }[]> {
  if (monitorIds.length === 0) return [];
  const numbers = (keys: readonly number[]) =>
    sql`(select cast(key as bigint) as value from json_each(${idKeys(keys)}))`;
  const { rows } = await sql<{ monitorId: number; begin: number; metrics: Uint8Array }>`
    select * from (
      select device.value as "monitorId", period.value as begin,
        (select metrics from device_reports
          where monitor_id = device.value and at >= period.value and at < period.value + ${stepMs}
          order by at desc limit 1) as metrics
      from ${numbers(monitorIds)} as device cross join ${numbers(begins)} as period
    ) as samples
    where metrics is not null`.execute(db);
  return rows;
}
